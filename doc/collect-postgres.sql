-- What `precedent check` reads of a PostgreSQL server: settings, statistics and
-- catalogs, never a row of a table, the text of a statement or a password. It reads
-- them with these statements when it is given --postgres; without a connection of
-- its own, save their output and name the file to it:
--
--   psql -XAtq -v ON_ERROR_STOP=0 -f collect-postgres.sql -d shop > postgres.shop.json
--   precedent check postgres.shop.json
--
-- Keys and tables are those of the database that is connected to; run the script in
-- each of a server's databases. Rights: pg_monitor, and SELECT on sequences.
--
-- Each statement prints JSON, one object a line. The line with "read" says whether
-- all of a kind could be seen. Each is a transaction of its own, which may only read
-- and leaves no setting behind, so that a pooler may stand between.

-- Settings, as they are for new sessions.
BEGIN TRANSACTION READ ONLY;
SET LOCAL statement_timeout = '5s';
SET LOCAL lock_timeout = '1s';
WITH s AS (SELECT coalesce(host(inet_server_addr()) || ':' || inet_server_port(), 'socket:' || current_setting('port')) AS server)
SELECT json_build_object('precedent', 'PostgreSQL/Settings', 'server', s.server, 'standby', pg_is_in_recovery(),
    'values', (SELECT json_object_agg(name, reset_val || CASE WHEN unit IN ('ms', 's', 'min') THEN unit ELSE '' END) FROM pg_settings WHERE name IN (
      'autovacuum', 'autovacuum_freeze_max_age', 'idle_in_transaction_session_timeout', 'max_connections', 'password_encryption', 'reserved_connections',
      'server_version', 'statement_timeout', 'superuser_reserved_connections', 'synchronous_commit', 'track_counts', 'wal_level')))
  FROM s
UNION ALL SELECT '{"precedent": "PostgreSQL/Settings", "read": "all"}';
COMMIT;

-- How many sessions there are, and how old the oldest transaction is.
BEGIN TRANSACTION READ ONLY;
SET LOCAL statement_timeout = '5s';
SET LOCAL lock_timeout = '1s';
WITH s AS (SELECT coalesce(host(inet_server_addr()) || ':' || inet_server_port(), 'socket:' || current_setting('port')) AS server),
a AS (SELECT * FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid())
SELECT json_build_object('precedent', 'PostgreSQL/Sessions', 'server', s.server, 'connections', (SELECT count(*) FROM a),
    'idle_in_transaction', (SELECT count(*) FROM a WHERE state LIKE 'idle in transaction%'),
    'oldest_transaction', (SELECT coalesce(round(extract(epoch FROM max(now() - xact_start))), 0) FROM a),
    'oldest_idle_in_transaction', (SELECT coalesce(round(extract(epoch FROM max(now() - state_change))), 0) FROM a WHERE state LIKE 'idle in transaction%'))
  FROM s
UNION ALL SELECT json_build_object('precedent', 'PostgreSQL/Sessions', 'read', CASE
    WHEN pg_has_role(current_user, 'pg_read_all_stats', 'USAGE') THEN 'all'
    ELSE 'the account sees its own sessions only: grant it pg_monitor' END);
COMMIT;

-- The age of the oldest transaction id of each database.
BEGIN TRANSACTION READ ONLY;
SET LOCAL statement_timeout = '5s';
SET LOCAL lock_timeout = '1s';
WITH s AS (SELECT coalesce(host(inet_server_addr()) || ':' || inet_server_port(), 'socket:' || current_setting('port')) AS server)
SELECT json_build_object('precedent', 'PostgreSQL/Database', 'server', s.server, 'name', datname, 'xid_age', age(datfrozenxid),
    'connectable', datallowconn AND NOT datistemplate)
  FROM pg_database, s
UNION ALL SELECT '{"precedent": "PostgreSQL/Database", "read": "all"}';
COMMIT;

-- Whole numbers that a sequence fills: the smaller limit of sequence and column.
BEGIN TRANSACTION READ ONLY;
SET LOCAL statement_timeout = '5s';
SET LOCAL lock_timeout = '1s';
WITH s AS (SELECT coalesce(host(inet_server_addr()) || ':' || inet_server_port(), 'socket:' || current_setting('port')) AS server),
keys AS (
  SELECT n.nspname || '.' || c.relname AS "table", a.attname AS "column", format_type(a.atttypid, NULL) AS type,
      has_sequence_privilege(q.seqrelid, 'USAGE, SELECT') AS visible, q.seqrelid,
      least(q.seqmax, CASE a.atttypid WHEN 'int2'::regtype THEN 32767 WHEN 'int4'::regtype THEN 2147483647 ELSE q.seqmax END) AS "limit"
    FROM pg_sequence q
    JOIN pg_depend d ON d.objid = q.seqrelid AND d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0
    JOIN pg_class c ON c.oid = d.refobjid JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid
    WHERE q.seqincrement > 0 AND NOT q.seqcycle),
used AS (SELECT *, CASE WHEN visible THEN pg_sequence_last_value(seqrelid) END AS last FROM keys),
hidden AS (SELECT count(*) AS n FROM keys WHERE NOT visible)
SELECT json_build_object('precedent', 'PostgreSQL/Key', 'server', s.server, 'database', current_database(), 'table', "table", 'column', "column",
    'type', type, 'last', last, 'limit', "limit")
  FROM (SELECT * FROM used WHERE last IS NOT NULL ORDER BY last::numeric / "limit" DESC LIMIT 1000) u, s
UNION ALL SELECT json_build_object('precedent', 'PostgreSQL/Key', 'server', s.server, 'database', current_database(), 'read', CASE
    WHEN hidden.n = 0 THEN 'all'
    ELSE 'the account may not see ' || hidden.n || ' sequences of the database "' || current_database() || '": grant it SELECT on them' END)
  FROM hidden, s;
COMMIT;

-- The largest tables, as the last vacuum or analyze has counted them: to ask for
-- sizes of the moment would wait for locks.
BEGIN TRANSACTION READ ONLY;
SET LOCAL statement_timeout = '5s';
SET LOCAL lock_timeout = '1s';
WITH s AS (SELECT coalesce(host(inet_server_addr()) || ':' || inet_server_port(), 'socket:' || current_setting('port')) AS server)
SELECT json_build_object('precedent', 'PostgreSQL/Table', 'server', s.server, 'database', current_database(), 'table', r.name,
    'bytes', r.pages * current_setting('block_size')::bigint, 'limit', 4294967294 * current_setting('block_size')::bigint, 'toast_values', r.toast)
  FROM s, (SELECT n.nspname || '.' || c.relname AS name, c.relpages::bigint AS pages, greatest(coalesce(t.reltuples, 0), 0)::bigint AS toast
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_class t ON t.oid = c.reltoastrelid
    WHERE c.relkind IN ('r', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    ORDER BY greatest(c.relpages, t.relpages) DESC LIMIT 200) r
UNION ALL SELECT json_build_object('precedent', 'PostgreSQL/Table', 'server', s.server, 'database', current_database(), 'read', 'all') FROM s;
COMMIT;
