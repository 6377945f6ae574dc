package object

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Kinds of what is read of databases and of what stands before them. Settings are
// one object a server, and so are sessions; the others are one object each.
const (
	PostgresSettings  = "PostgreSQL/Settings"
	PostgresSessions  = "PostgreSQL/Sessions"
	PostgresDatabase  = "PostgreSQL/Database"
	PostgresKey       = "PostgreSQL/Key"
	PostgresTable     = "PostgreSQL/Table"
	MySQLSettings     = "MySQL/Settings" // of MariaDB too
	MySQLSessions     = "MySQL/Sessions"
	MySQLKey          = "MySQL/Key"
	MySQLTable        = "MySQL/Table"
	PgBouncerSettings = "PgBouncer/Settings"
	PgBouncerUsers    = "PgBouncer/Users"
	PgBouncerDatabase = "PgBouncer/Database"
	RedisSettings     = "Redis/Settings"
	RedisInfo         = "Redis/Info"
)

// DatabaseKinds returns the kinds of what is read of databases.
func DatabaseKinds() []string {
	return []string{
		MySQLKey, MySQLSessions, MySQLSettings, MySQLTable, PgBouncerDatabase, PgBouncerSettings, PgBouncerUsers,
		PostgresDatabase, PostgresKey, PostgresSessions, PostgresSettings, PostgresTable, RedisInfo, RedisSettings,
	}
}

// keptSettings are the settings that are kept, by kind. All others are forgotten
// while they are read: some hold passwords, commands or the names of people.
func keptSettings(kind string) []string {
	switch kind {
	case PostgresSettings:
		return []string{
			"autovacuum", "autovacuum_freeze_max_age", "autovacuum_max_workers", "block_size", "data_checksums", "fsync", "full_page_writes", "hot_standby",
			"hot_standby_feedback", "idle_in_transaction_session_timeout", "idle_session_timeout", "lock_timeout", "max_connections", "max_prepared_transactions",
			"max_replication_slots", "max_slot_wal_keep_size", "max_standby_streaming_delay", "max_wal_senders", "max_wal_size", "password_encryption", "port",
			"reserved_connections", "server_version", "server_version_num", "shared_buffers", "statement_timeout", "superuser_reserved_connections",
			"synchronous_commit", "tcp_keepalives_idle", "tcp_user_timeout", "track_counts", "transaction_timeout", "vacuum_failsafe_age", "wal_level", "wal_sender_timeout", "work_mem",
		}
	case MySQLSettings:
		return []string{
			"auto_increment_increment", "back_log", "binlog_format", "connect_timeout", "default_authentication_plugin", "event_scheduler", "gtid_mode", "gtid_strict_mode",
			"innodb_buffer_pool_size", "innodb_doublewrite", "innodb_file_per_table", "innodb_flush_log_at_trx_commit", "innodb_lock_wait_timeout", "innodb_page_size",
			"innodb_rollback_on_timeout", "innodb_version", "interactive_timeout", "lock_wait_timeout", "log_bin", "log_slave_updates", "log_replica_updates", "lower_case_table_names",
			"max_allowed_packet", "max_connect_errors", "max_connections", "max_execution_time", "max_statement_time", "max_user_connections", "net_read_timeout", "net_write_timeout",
			"open_files_limit", "port", "read_only", "rpl_semi_sync_master_enabled", "rpl_semi_sync_source_enabled", "server_id", "skip_name_resolve", "super_read_only", "sync_binlog",
			"table_open_cache", "thread_cache_size", "thread_handling", "transaction_isolation", "tx_isolation", "version", "version_comment", "wait_timeout",
		}
	case PgBouncerSettings:
		return []string{
			"auth_type", "client_idle_timeout", "client_login_timeout", "default_pool_size", "idle_transaction_timeout", "listen_port", "max_client_conn", "max_db_connections",
			"max_prepared_statements", "max_user_connections", "min_pool_size", "peer_id", "pool_mode", "query_timeout", "query_wait_timeout", "reserve_pool_size", "reserve_pool_timeout",
			"server_check_delay", "server_connect_timeout", "server_fast_close", "server_idle_timeout", "server_lifetime", "server_login_retry", "server_round_robin",
			"server_tls_sslmode", "so_reuseport", "tcp_keepalive", "tcp_user_timeout", "transaction_timeout",
		}
	case RedisSettings:
		return []string{
			"appendfsync", "appendonly", "auto-aof-rewrite-min-size", "auto-aof-rewrite-percentage", "client-output-buffer-limit", "cluster-enabled", "cluster-node-timeout",
			"cluster-require-full-coverage", "hz", "io-threads", "lazyfree-lazy-eviction", "maxclients", "maxmemory", "maxmemory-clients", "maxmemory-policy", "maxmemory-samples",
			"min-replicas-max-lag", "min-replicas-to-write", "min-slaves-to-write", "port", "repl-backlog-size", "repl-diskless-sync", "repl-timeout", "replica-read-only",
			"replica-serve-stale-data", "save", "stop-writes-on-bgsave-error", "tcp-backlog", "tcp-keepalive", "timeout",
		}
	case RedisInfo:
		return []string{
			"blocked_clients", "cluster_enabled", "connected_clients", "connected_slaves", "evicted_keys", "maxclients", "maxmemory", "maxmemory_policy", "mem_fragmentation_ratio",
			"rdb_bgsave_in_progress", "redis_mode", "redis_version", "rejected_connections", "role", "total_system_memory", "uptime_in_seconds", "used_memory", "used_memory_peak", "used_memory_rss",
		}
	}
	return nil
}

// plainValue is what the value of a setting that is kept may look like: numbers,
// words and amounts, and never as long as a password's hash.
var plainValue = regexp.MustCompile(`^[A-Za-z0-9 ._:+()~-]{0,60}$`)

// Settings keeps those settings of a server that checks read, by their names in
// small letters, each as the server writes it. Of others nothing is kept.
func Settings(kind string, all map[string]string) map[string]any {
	kept := map[string]any{}
	names := keptSettings(kind)
	for name, value := range all {
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
		if slices.Contains(names, name) && plainValue.MatchString(value) {
			// Clones, since a piece of a text would keep the whole of it in memory.
			kept[strings.Clone(name)] = strings.Clone(withUnit(kind, name, value))
		}
	}
	return kept
}

// KeepsSetting reports whether a setting is one that is kept.
func KeepsSetting(kind, name string) bool { return slices.Contains(keptSettings(kind), name) }

// milliseconds are the times of PostgreSQL that pg_settings gives as bare numbers,
// where SHOW writes a unit.
var milliseconds = []string{"idle_in_transaction_session_timeout", "idle_session_timeout", "lock_timeout", "statement_timeout", "transaction_timeout", "wal_sender_timeout"}

func withUnit(kind, name, value string) string {
	if kind != PostgresSettings || value == "0" || !slices.Contains(milliseconds, name) {
		return value
	}
	if _, err := strconv.ParseInt(value, 10, 64); err == nil {
		return value + "ms"
	}
	return value
}

// DatabaseServer is a server of databases whose settings were read.
type DatabaseServer struct {
	*Object
	Product string // PostgreSQL, MySQL or MariaDB; empty where only a group of parameters was read
	Host    string // as it was given, without the port; empty where that is not known
}

// Setting returns a setting as text, or reports that it was not read.
func (d *DatabaseServer) Setting(name string) (string, bool) {
	s, ok := d.Fields.At("values", name).(string)
	return s, ok
}

// Number returns a setting that is a whole number, or another one where it is none.
func (d *DatabaseServer) Number(name string, or int64) int64 {
	s, _ := d.Setting(name)
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n
	}
	return or
}

// Reserved returns how many connections are kept for administrators.
func (d *DatabaseServer) Reserved() int64 {
	if d.Product != "PostgreSQL" {
		return 0
	}
	return d.Number("superuser_reserved_connections", 3) + d.Number("reserved_connections", 0)
}

// Databases returns the servers of databases whose settings were read, be it from
// the server or as a group of parameters of AWS, and an [Unread] where none were.
func (s *Snapshot) Databases() ([]*DatabaseServer, error) {
	var all []*DatabaseServer
	read := false
	var failed error
	for _, kind := range []string{PostgresSettings, MySQLSettings, "AWS/DBParameters"} {
		for _, o := range s.objects[kind] {
			all = append(all, serverOf(o))
		}
		err := s.Whole(kind)
		read = read || err == nil || len(s.objects[kind]) > 0
		if s.state[kind] != "" {
			failed = err
		}
	}
	if failed == nil && !read {
		failed = &Unread{"the settings of a database", nowhere, false}
	}
	return all, failed
}

func serverOf(o *Object) *DatabaseServer {
	d := &DatabaseServer{Object: o}
	switch o.Kind {
	case PostgresSettings:
		d.Product = "PostgreSQL"
	case MySQLSettings:
		d.Product = "MySQL"
		if v, _ := d.Setting("version"); strings.Contains(v, "MariaDB") {
			d.Product = "MariaDB"
		}
	default:
		return d
	}
	d.Host = hostOf(o.Fields.Text("server"))
	return d
}

// hostOf takes the port off an address.
func hostOf(address string) string {
	if at := strings.LastIndexByte(address, ':'); at >= 0 && !strings.HasSuffix(address[:at], ":") {
		return strings.Trim(address[:at], "[]")
	}
	return address
}

// DatabaseOf returns the server that a host names; where none has its name, and
// one alone was read, that one. It returns nil where it cannot be told.
func (s *Snapshot) DatabaseOf(host string) (*DatabaseServer, error) {
	all, err := s.Databases()
	for _, d := range all {
		if host != "" && d.Host == host {
			return d, nil
		}
	}
	if len(all) == 1 && err == nil {
		return all[0], nil
	}
	return nil, err
}

// Part is a part of a kind that is read database by database.
type Part struct{ Kind, Server, Database string }

// ReadPart says that a part of a kind was read, whole or not.
func (s *Snapshot) ReadPart(p Part) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parts = append(s.parts, p)
}

// partMissing says which database of a server has a part of a kind that was not
// read, though others were.
func (s *Snapshot) partMissing(kind string) string {
	if kind != PostgresKey && kind != PostgresTable {
		return ""
	}
	for _, o := range s.objects[PostgresDatabase] {
		p := Part{kind, o.Fields.Text("server"), o.Fields.Text("name")}
		of := func(one Part) bool { return one.Kind == kind && one.Server == p.Server }
		if o.Fields.At("connectable") == true && slices.ContainsFunc(s.parts, of) && !slices.Contains(s.parts, p) {
			return "the database " + strconv.Quote(p.Database) + " of " + p.Server + " was not read"
		}
	}
	return ""
}
