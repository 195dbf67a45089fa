create table t (a integer primary key, b text, c real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 1500)
insert into t select i, 'row ' || (i * 7919 % 1009), i * 0.5 from n;
create index i on t (b);
select count(*), sum(c), min(b), max(b) from t;
select b, count(*) from t group by b having count(*) > 1 order by b limit 5;
select x.a, y.a from t x join t y on x.b = y.b and x.a < y.a order by x.a limit 5;
