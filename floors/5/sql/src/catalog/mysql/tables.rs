//! Columns and keys of the tables of the database `mysql`, in the short form of [`define`](super::super::define).

pub(super) const COLUMN_STATS: &str = "!COLLATE=utf8mb3_bin !COMMENT=Statistics~on~Columns db_name:s64 table_name:s64 column_name:s64 \
     min_value:v255? max_value:v255? nulls_ratio:D12,4? avg_length:D12,4? avg_frequency:D12,4? hist_size:y3u? \
     hist_type:ESINGLE_PREC_HB,DOUBLE_PREC_HB,JSON_HB? histogram:l? !PRIMARY(db_name,table_name,column_name)";
pub(super) const COLUMNS_PRIV: &str = "!COLLATE=utf8mb3_bin !COMMENT=Column~privileges Host:c255= Db:c64= User:c128= Table_name:c64= \
     Column_name:c64= Timestamp:k=now Column_priv:SSelect,Insert,Update,References@= \
     !PRIMARY(Host,Db,User,Table_name,Column_name)";
pub(super) const DB: &str = "!COLLATE=utf8mb3_bin !COMMENT=Database~privileges Host:c255= Db:c64= User:c128= Select_priv:EN,Y@=N \
     Insert_priv:EN,Y@=N Update_priv:EN,Y@=N Delete_priv:EN,Y@=N Create_priv:EN,Y@=N Drop_priv:EN,Y@=N \
     Grant_priv:EN,Y@=N References_priv:EN,Y@=N Index_priv:EN,Y@=N Alter_priv:EN,Y@=N \
     Create_tmp_table_priv:EN,Y@=N Lock_tables_priv:EN,Y@=N Create_view_priv:EN,Y@=N Show_view_priv:EN,Y@=N \
     Create_routine_priv:EN,Y@=N Alter_routine_priv:EN,Y@=N Execute_priv:EN,Y@=N Event_priv:EN,Y@=N \
     Trigger_priv:EN,Y@=N Delete_history_priv:EN,Y@=N !PRIMARY(Host,Db,User) !KEY=User(User)";
pub(super) const EVENT: &str = "!COMMENT=Events db:c64@utf8mb3_bin= name:c64= body:l definer:s384@utf8mb3_bin= execute_at:d? \
     interval_value:i11? \
     interval_field:EYEAR,QUARTER,MONTH,DAY,HOUR,MINUTE,WEEK,SECOND,MICROSECOND,YEAR_MONTH,DAY_HOUR,\
      DAY_MINUTE,DAY_SECOND,HOUR_MINUTE,HOUR_SECOND,MINUTE_SECOND,DAY_MICROSECOND,HOUR_MICROSECOND,\
      MINUTE_MICROSECOND,SECOND_MICROSECOND? \
     created:k=now modified:k=0000-00-00~00:00:00 last_executed:d? starts:d? ends:d? \
     status:EENABLED,DISABLED,SLAVESIDE_DISABLED=ENABLED on_completion:EDROP,PRESERVE=DROP sql_mode:M= \
     comment:c64@utf8mb3_bin= originator:i10u time_zone:c64@latin1_swedish_ci=SYSTEM \
     character_set_client:c32?@utf8mb3_bin collation_connection:c64?@utf8mb3_bin \
     db_collation:c64?@utf8mb3_bin body_utf8:l? !PRIMARY(db,name)";
pub(super) const FUNC: &str = "!COLLATE=utf8mb3_bin !COMMENT=User~defined~functions name:c64= ret:y1=0 dl:c128= \
     type:Efunction,aggregate@ !PRIMARY(name)";
pub(super) const GENERAL_LOG: &str = "!COMMENT=General~log event_time:k6=now user_host:m thread_id:b21u server_id:i10u command_type:s64 \
     argument:m";
pub(super) const GLOBAL_PRIV: &str = "!COLLATE=utf8mb3_bin !COMMENT=Users~and~global~privileges Host:c255= User:c128= Priv:j \
     !PRIMARY(Host,User)";
pub(super) const GTID_SLAVE_POS: &str = "!COLLATE=latin1_swedish_ci !COMMENT=Replication~slave~GTID~position domain_id:i10u sub_id:b20u \
     server_id:i10u seq_no:b20u !PRIMARY(domain_id,sub_id)";
pub(super) const HELP_CATEGORY: &str = "!COMMENT=help~categories help_category_id:h5u name:c64 parent_category_id:h5u? url:x \
     !PRIMARY(help_category_id) !UNIQUE=name(name)";
pub(super) const HELP_KEYWORD: &str =
    "!COMMENT=help~keywords help_keyword_id:i10u name:c64 !PRIMARY(help_keyword_id) !UNIQUE=name(name)";
pub(super) const HELP_RELATION: &str = "!COMMENT=keyword-topic~relation help_topic_id:i10u help_keyword_id:i10u \
     !PRIMARY(help_keyword_id,help_topic_id) !KEY=help_topic_id(help_topic_id)";
pub(super) const HELP_TOPIC: &str = "!COMMENT=help~topics help_topic_id:i10u name:c64 help_category_id:h5u description:x example:x url:x \
     !PRIMARY(help_topic_id) !UNIQUE=name(name)";
pub(super) const INDEX_STATS: &str = "!COLLATE=utf8mb3_bin !COMMENT=Statistics~on~Indexes db_name:s64 table_name:s64 index_name:s64 \
     prefix_arity:i11u avg_frequency:D12,4? !PRIMARY(db_name,table_name,index_name,prefix_arity)";
pub(super) const INNODB_INDEX_STATS: &str = "!COLLATE=utf8mb3_bin database_name:s64 table_name:s199 index_name:s64 last_update:k=now stat_name:s64 \
     stat_value:b20u sample_size:b20u? stat_description:s1024 \
     !PRIMARY(database_name,table_name,index_name,stat_name)";
pub(super) const INNODB_TABLE_STATS: &str = "!COLLATE=utf8mb3_bin database_name:s64 table_name:s199 last_update:k=now n_rows:b20u \
     clustered_index_size:b20u sum_of_other_index_sizes:b20u !PRIMARY(database_name,table_name)";
pub(super) const PLUGIN: &str = "!COMMENT=MySQL~plugins name:s64= dl:s128= !PRIMARY(name)";
pub(super) const PROC: &str = "!COMMENT=Stored~Procedures db:c64@utf8mb3_bin= name:c64= type:EFUNCTION,PROCEDURE,PACKAGE,PACKAGE~BODY \
     specific_name:c64= language:ESQL=SQL \
     sql_data_access:ECONTAINS_SQL,NO_SQL,READS_SQL_DATA,MODIFIES_SQL_DATA=CONTAINS_SQL \
     is_deterministic:EYES,NO=NO security_type:EINVOKER,DEFINER=DEFINER param_list:o returns:l body:l \
     definer:s384@utf8mb3_bin= created:k=now modified:k=0000-00-00~00:00:00 sql_mode:M= comment:x@utf8mb3_bin \
     character_set_client:c32?@utf8mb3_bin collation_connection:c64?@utf8mb3_bin \
     db_collation:c64?@utf8mb3_bin body_utf8:l? aggregate:ENONE,GROUP=NONE !PRIMARY(db,name,type)";
pub(super) const PROCS_PRIV: &str = "!COLLATE=utf8mb3_bin !COMMENT=Procedure~privileges Host:c255= Db:c64= User:c128= Routine_name:c64@= \
     Routine_type:EFUNCTION,PROCEDURE,PACKAGE,PACKAGE~BODY Grantor:s384= \
     Proc_priv:SExecute,Alter~Routine,Grant@= Timestamp:k=now \
     !PRIMARY(Host,Db,User,Routine_name,Routine_type) !KEY=Grantor(Grantor)";
pub(super) const PROXIES_PRIV: &str = "!COLLATE=utf8mb3_bin !COMMENT=User~proxy~privileges Host:c255= User:c128= Proxied_host:c255= \
     Proxied_user:c128= With_grant:y1=0 Grantor:s384= Timestamp:k=now \
     !PRIMARY(Host,User,Proxied_host,Proxied_user) !KEY=Grantor(Grantor)";
pub(super) const ROLES_MAPPING: &str = "!COLLATE=utf8mb3_bin !COMMENT=Granted~roles Host:c255= User:c128= Role:c128= Admin_option:EN,Y@=N \
     !UNIQUE=Host(Host,User,Role)";
pub(super) const SERVERS: &str = "!COMMENT=MySQL~Foreign~Servers~table Server_name:c64= Host:s2048= Db:c64= Username:c128= Password:c64= \
     Port:i4=0 Socket:c108= Wrapper:c64= Owner:s512= !PRIMARY(Server_name)";
pub(super) const SLOW_LOG: &str = "!COMMENT=Slow~log start_time:k6=now user_host:m query_time:q6 lock_time:q6 rows_sent:b20u \
     rows_examined:b20u db:s512 last_insert_id:i11 insert_id:i11 server_id:i10u sql_text:m thread_id:b21u \
     rows_affected:b20u";
pub(super) const TABLE_STATS: &str = "!COLLATE=utf8mb3_bin !COMMENT=Statistics~on~Tables db_name:s64 table_name:s64 cardinality:b21u? \
     !PRIMARY(db_name,table_name)";
pub(super) const TABLES_PRIV: &str = "!COLLATE=utf8mb3_bin !COMMENT=Table~privileges Host:c255= Db:c64= User:c128= Table_name:c64= \
     Grantor:s384= Timestamp:k=now \
     Table_priv:SSelect,Insert,Update,Delete,Create,Drop,Grant,References,Index,Alter,Create~View,\
      Show~view,Trigger,Delete~versioning~rows@= \
     Column_priv:SSelect,Insert,Update,References@= !PRIMARY(Host,Db,User,Table_name) !KEY=Grantor(Grantor)";
pub(super) const TIME_ZONE: &str =
    "!COMMENT=Time~zones Time_zone_id:i10u+ Use_leap_seconds:EY,N=N !PRIMARY(Time_zone_id)";
pub(super) const TIME_ZONE_LEAP_SECOND: &str = "!COMMENT=Leap~seconds~information~for~time~zones Transition_time:b20 Correction:i11 \
     !PRIMARY(Transition_time)";
pub(super) const TIME_ZONE_NAME: &str = "!COMMENT=Time~zone~names Name:c64 Time_zone_id:i10u !PRIMARY(Name)";
pub(super) const TIME_ZONE_TRANSITION: &str = "!COMMENT=Time~zone~transitions Time_zone_id:i10u Transition_time:b20 Transition_type_id:i10u \
     !PRIMARY(Time_zone_id,Transition_time)";
pub(super) const TIME_ZONE_TRANSITION_TYPE: &str = "!COMMENT=Time~zone~transition~types Time_zone_id:i10u Transition_type_id:i10u Offset:i11=0 Is_DST:y3u=0 \
     Abbreviation:c8= !PRIMARY(Time_zone_id,Transition_type_id)";
pub(super) const TRANSACTION_REGISTRY: &str = "!COLLATE=utf8mb3_bin transaction_id:b20u commit_id:b20u begin_timestamp:k6=0000-00-00~00:00:00.000000 \
     commit_timestamp:k6=0000-00-00~00:00:00.000000 \
     isolation_level:EREAD-UNCOMMITTED,READ-COMMITTED,REPEATABLE-READ,SERIALIZABLE !PRIMARY(transaction_id) \
     !UNIQUE=commit_id(commit_id) !KEY=begin_timestamp(begin_timestamp) \
     !KEY=commit_timestamp(commit_timestamp,transaction_id)";
