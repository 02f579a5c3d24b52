-- What JSON_EXTRACT finds as a number; dates with zero parts; rows in lists
SET NAMES utf8mb4;
select json_extract('[1, "a", null, true, 2.50]','$[last]'), json_extract('[1,2]','$[last]'), json_extract('{"b":2,"a":[3,1]}','$[last]'), json_extract('{"a":1}','$[0]'), json_extract('5','$[last]'), json_extract('5','$[0]'), json_extract('"text"','$[last]'), json_extract('{"a": 1, "b": [1, 2, {"c": "x"}]}','$[last]'), json_extract('{"b":2,"a":[3,1]}','$[last]','$');
select json_value('{"b":2,"a":[3,1]}','$[last]'), json_value('5','$[last]'), json_contains_path('{"a":1}','one','$[last]'), json_length('{"a":1}','$[last]'), json_exists('{"a":1}','$[last]'), json_exists('5','$[last-1]'), json_query('{"a":1}','$[last]'), json_query('{"a":1}','$[0]');
select json_valid('1e'), json_valid('-'), json_valid('1.'), json_valid('1.5e+'), json_valid('[1e'), json_valid('[1e]'), json_valid('1ex'), json_valid('tru'), json_valid('"a'), json_valid('{"a"'), json_valid('{"a":'), json_valid('[1,'), json_valid('+1'), json_valid('[-]'), json_valid(char(1)), json_valid('');
select coalesce(e,e), s from (select 'a' e, 1 s) t;
select subtime('10:10:10',-0.5), addtime('10:10:10',-0.5), addtime('10:10:10',-1.5), timestamp('2020-01-01',-0.5), addtime('10:10:10',-0.0025e0);
select from_days(1), from_days(0), from_days(365), from_days(366), from_days(-1);
select extract(week from '2020-01-00'), extract(week from '2020-00-00'), extract(week from '0000-00-00'), extract(week from '2021-02-00');
select json_valid('1e'), json_valid('[1e]'), json_valid('[-]'), json_valid('1.5e+');
select timestamp('2020-01-00','10:11:12'), timestamp('2038-01-01',null), greatest(1.5,'a'), greatest('a',null);
