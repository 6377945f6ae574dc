-- What `precedent check` reads of a MySQL or MariaDB server: settings, statistics
-- and catalogs, never a row of a table, the text of a statement or a password. It
-- reads them with these statements when it is given --mysql; without a connection
-- of its own, save their output and name the file to it:
--
--   mysql --batch --raw --skip-column-names --force < collect-mysql.sql > mysql.shop.json
--   precedent check mysql.shop.json
--
-- Rights: PROCESS, and REFERENCES on *.*, which shows the definitions of tables and
-- not what is in them. Of two statements for one kind one fails, which is no harm:
-- MySQL and MariaDB keep the same figures in different places.
--
-- Each statement prints JSON, one object a line. The line with "read" says whether
-- all of a kind could be seen.

SET SESSION TRANSACTION READ ONLY;
SET SESSION lock_wait_timeout = 1;
/*M!100101 SET SESSION max_statement_time = 5 */;

-- MySQL's settings
SELECT /*+ MAX_EXECUTION_TIME(5000) */ JSON_OBJECT('precedent', 'MySQL/Settings', 'server', CONCAT(@@hostname, ':', @@port), 'values', JSON_OBJECTAGG(LOWER(VARIABLE_NAME), VARIABLE_VALUE)) AS answer
  FROM performance_schema.global_variables WHERE VARIABLE_NAME IN (
    'binlog_format', 'innodb_flush_log_at_trx_commit', 'innodb_page_size', 'innodb_file_per_table', 'interactive_timeout', 'log_bin', 'max_connections', 'max_user_connections',
    'open_files_limit', 'read_only', 'super_read_only', 'rpl_semi_sync_source_enabled', 'rpl_semi_sync_master_enabled', 'sync_binlog', 'version', 'wait_timeout')
  HAVING COUNT(*) > 0
UNION ALL SELECT '{"precedent": "MySQL/Settings", "read": "all"}' FROM performance_schema.global_variables WHERE VARIABLE_NAME = 'wait_timeout';

-- MariaDB's settings
SELECT /*+ MAX_EXECUTION_TIME(5000) */ JSON_OBJECT('precedent', 'MySQL/Settings', 'server', CONCAT(@@hostname, ':', @@port), 'values', JSON_OBJECTAGG(LOWER(VARIABLE_NAME), VARIABLE_VALUE)) AS answer
  FROM information_schema.GLOBAL_VARIABLES WHERE VARIABLE_NAME IN (
    'binlog_format', 'innodb_flush_log_at_trx_commit', 'innodb_page_size', 'innodb_file_per_table', 'interactive_timeout', 'log_bin', 'max_connections', 'max_user_connections',
    'open_files_limit', 'read_only', 'rpl_semi_sync_master_enabled', 'sync_binlog', 'version', 'wait_timeout')
  HAVING COUNT(*) > 0
UNION ALL SELECT '{"precedent": "MySQL/Settings", "read": "all"}' FROM information_schema.GLOBAL_VARIABLES WHERE VARIABLE_NAME = 'wait_timeout';

-- MySQL's sessions
SELECT /*+ MAX_EXECUTION_TIME(5000) */ JSON_OBJECT('precedent', 'MySQL/Sessions', 'server', CONCAT(@@hostname, ':', @@port),
    'connections', MAX(IF(VARIABLE_NAME = 'Threads_connected', CAST(VARIABLE_VALUE AS UNSIGNED), 0)),
    'peak', MAX(IF(VARIABLE_NAME = 'Max_used_connections', CAST(VARIABLE_VALUE AS UNSIGNED), 0)),
    'oldest_transaction', (SELECT COALESCE(MAX(TIMESTAMPDIFF(SECOND, trx_started, NOW())), 0) FROM information_schema.INNODB_TRX),
    'replicas', (SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE COMMAND LIKE 'Binlog Dump%')) AS answer
  FROM performance_schema.global_status WHERE VARIABLE_NAME IN ('Threads_connected', 'Max_used_connections')
  HAVING COUNT(*) > 0
UNION ALL SELECT JSON_OBJECT('precedent', 'MySQL/Sessions', 'read', 'all') FROM performance_schema.global_status WHERE VARIABLE_NAME = 'Threads_connected';

-- MariaDB's sessions
SELECT /*+ MAX_EXECUTION_TIME(5000) */ JSON_OBJECT('precedent', 'MySQL/Sessions', 'server', CONCAT(@@hostname, ':', @@port),
    'connections', MAX(IF(VARIABLE_NAME = 'THREADS_CONNECTED', CAST(VARIABLE_VALUE AS UNSIGNED), 0)),
    'peak', MAX(IF(VARIABLE_NAME = 'MAX_USED_CONNECTIONS', CAST(VARIABLE_VALUE AS UNSIGNED), 0)),
    'oldest_transaction', (SELECT COALESCE(MAX(TIMESTAMPDIFF(SECOND, trx_started, NOW())), 0) FROM information_schema.INNODB_TRX),
    'replicas', (SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE COMMAND LIKE 'Binlog Dump%')) AS answer
  FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME IN ('THREADS_CONNECTED', 'MAX_USED_CONNECTIONS')
  HAVING COUNT(*) > 0
UNION ALL SELECT JSON_OBJECT('precedent', 'MySQL/Sessions', 'read', 'all') FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'THREADS_CONNECTED';

-- Whole numbers that the server counts up, and the limit of their type.
SELECT /*+ MAX_EXECUTION_TIME(5000) */ JSON_OBJECT('precedent', 'MySQL/Key', 'server', CONCAT(@@hostname, ':', @@port), 'database', k.TABLE_SCHEMA, 'table', k.TABLE_NAME, 'column', k.COLUMN_NAME,
    'type', k.COLUMN_TYPE, 'last', k.last, 'limit', k.most) AS answer
  FROM (SELECT c.TABLE_SCHEMA, c.TABLE_NAME, c.COLUMN_NAME, c.COLUMN_TYPE, CAST(LEAST(t.AUTO_INCREMENT - 1, 9223372036854775807) AS SIGNED) AS last,
      CASE c.DATA_TYPE WHEN 'tinyint' THEN 127 WHEN 'smallint' THEN 32767 WHEN 'mediumint' THEN 8388607 WHEN 'int' THEN 2147483647 ELSE 9223372036854775807 END
        * IF(c.COLUMN_TYPE LIKE '%unsigned%' AND c.DATA_TYPE <> 'bigint', 2, 1) + IF(c.COLUMN_TYPE LIKE '%unsigned%' AND c.DATA_TYPE <> 'bigint', 1, 0) AS most
    FROM information_schema.COLUMNS c JOIN information_schema.TABLES t ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME
    WHERE c.EXTRA LIKE '%auto_increment%' AND t.AUTO_INCREMENT IS NOT NULL AND c.TABLE_SCHEMA NOT IN ('mysql', 'sys', 'performance_schema', 'information_schema')
    ORDER BY last / most DESC LIMIT 1000) k
UNION ALL SELECT JSON_OBJECT('precedent', 'MySQL/Key', 'read', IF(EXISTS (SELECT 1 FROM information_schema.USER_PRIVILEGES
    WHERE GRANTEE = CONCAT('''', REPLACE(CURRENT_USER(), '@', '''@'''), '''') AND PRIVILEGE_TYPE IN ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES')), 'all',
    'the account may not see all tables: grant it REFERENCES on *.*'));

-- MySQL's largest files of tables
SELECT /*+ MAX_EXECUTION_TIME(5000) */ JSON_OBJECT('precedent', 'MySQL/Table', 'server', CONCAT(@@hostname, ':', @@port), 'table', REPLACE(f.NAME, '/', '.'), 'bytes', f.FILE_SIZE,
    'limit', 4294967296 * @@innodb_page_size) AS answer
  FROM (SELECT NAME, FILE_SIZE FROM information_schema.INNODB_TABLESPACES WHERE SPACE_TYPE = 'Single' ORDER BY FILE_SIZE DESC LIMIT 200) f
UNION ALL SELECT JSON_OBJECT('precedent', 'MySQL/Table', 'read', 'all');

-- MariaDB's largest files of tables
SELECT /*+ MAX_EXECUTION_TIME(5000) */ JSON_OBJECT('precedent', 'MySQL/Table', 'server', CONCAT(@@hostname, ':', @@port), 'table', REPLACE(f.NAME, '/', '.'), 'bytes', f.FILE_SIZE,
    'limit', 4294967296 * @@innodb_page_size) AS answer
  FROM (SELECT NAME, FILE_SIZE FROM information_schema.INNODB_SYS_TABLESPACES WHERE NAME LIKE '%/%' ORDER BY FILE_SIZE DESC LIMIT 200) f
UNION ALL SELECT JSON_OBJECT('precedent', 'MySQL/Table', 'read', 'all');
