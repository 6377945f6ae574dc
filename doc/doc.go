// Package doc embeds the documents of this folder that the program shows or uses.
// It holds text only.
package doc

import _ "embed"

// CaseFormat describes the case record for its authors, as Markdown.
//
//go:embed case-format.md
var CaseFormat string

// CaseFormatKo is CaseFormat in Korean.
//
//go:embed case-format.ko.md
var CaseFormatKo string

// SystemFormat describes the files of the simulator, as Markdown.
//
//go:embed system-format.md
var SystemFormat string

// SystemFormatKo is SystemFormat in Korean.
//
//go:embed system-format.ko.md
var SystemFormatKo string

// CollectPostgres is the script that reads a PostgreSQL server, as SQL.
//
//go:embed collect-postgres.sql
var CollectPostgres string

// CollectMySQL is the script that reads a MySQL or MariaDB server, as SQL.
//
//go:embed collect-mysql.sql
var CollectMySQL string

// CollectAWS is the script that collects settings of AWS, for sh.
//
//go:embed collect-aws.sh
var CollectAWS string

// CollectPrometheus is what Prometheus is asked for, one query a line.
//
//go:embed collect-prometheus.promql
var CollectPrometheus string
