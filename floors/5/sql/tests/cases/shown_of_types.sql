create table t (k int primary key, iz int(6) zerofill, f float, b1 bit(1), b40 bit(40), y year, da date, tm3 time(3), dt6 datetime(6), ts timestamp(2) null, c char(8), v varchar(20), vb varbinary(20), x text, e enum('a','bb','1'), s set('x','yy','1'), u uuid, j json)
insert into t values (1, 42, -3.4e10, 1, 1099511627775, 2001, '2020-02-29', '10:11:12.345', '9999-12-31 23:59:59.999999', '2020-02-29 10:11:12.34', 'abc', '1abc', 'ab', 'text 1', 'bb', 'x,yy', '123e4567-e89b-12d3-a456-426655440000', '[1,2]'), (2, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null), (3, 7, 1.5, 0, 1, 1901, '9999-12-31', '-838:59:59', '2020-02-29 10:11:12.345678', null, '', '10', x'0001', '-7', '1', '', null, null)
select hex(cast(x'ff41' as char)), hex(convert(x'ff41' using utf8mb4)), hex(cast(b40 as char)), hex(cast(concat(vb, x'ff') as char)) from t order by k
select iz from t where k = 1 union all select x from t where k = 1
select x from t where k = 1 union all select f from t where k = 1
select x from t where k = 1 union all select b40 from t where k = 3
select j from t where k = 1 union all select iz from t where k = 1
select b1 from t where k = 1 union all select b40 from t where k = 1
select iz from t where k = 1 union all select v from t where k = 1
select @a := k, @b := iz, @c := f, @d := y from t order by k
select @a := da, @b := tm3, @c := dt6, @d := ts from t order by k
select @a := c, @b := v, @c := vb, @d := x, @e := e, @f := s, @g := u from t order by k
create table made as select @a := k as k, @b := da as da, @c := tm3 as tm3, @d := e as e, @f := y as y, @g := c as c from t
show create table made
select time(-2147483648), time(-9999999), time(-10000000), time(-838595999), time(-20200101101010), time(20200101101010), time(-1e20), time(-8385960)
select addtime(-2147483648, 1), hour(-2147483648)
select ceil(dt6), round(dt6), round(dt6, 1), floor(dt6) from t order by k
select addtime(e, '1:0:0'), subtime(e, '0:0:1.5'), addtime(s, '1:0:0'), addtime(e, x), addtime(e, tm3) from t where k = 3
select inet6_ntoa(v), inet6_ntoa(c), inet6_ntoa(x'01020304'), inet6_ntoa('abcd') from t order by k
select to_char(x) from t
select to_char(v), to_char(dt6) from t where k = 1
select substring(k, 2), substring(da, 2), substring(u, 2), substring(v, 2), substring(iz, -2) from t order by k
select round(1e100, -2147483648), round(1.5e300, -301), truncate(1e100, -2000), round(-7e20, -100)
create table fixed (f float(10,3), g float(12,8), d double(10,2), x text)
insert into fixed values (1.5, 2.25, 3.5, 'a')
select x from fixed union all select f from fixed union all select g from fixed union all select d from fixed
