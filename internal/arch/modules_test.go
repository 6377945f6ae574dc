package arch

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// modules are the direct dependencies of the program, each with the reason why
// it is one.
//
// What was looked at and left out: gonum.org/v1/plot v0.17 for the charts of runs
// brings eight modules, fonts and an own rasteriser, and fixes the colours of a
// picture, which ours leave to the style sheet of whoever shows it, light or dark.
var modules = map[string]string{
	"github.com/HdrHistogram/hdrhistogram-go": "quantiles of latencies at a known precision and in bounded memory",
	"github.com/blevesearch/snowballstem":     "the Porter2 stemmer of English, generated from its authors' own definition",
	"github.com/go-sql-driver/mysql":          "MySQL and MariaDB as they are spoken to in Go: the ways to log in, TLS, time limits",
	"github.com/jackc/pgx/v5":                 "PostgreSQL's protocol, with .pgpass, service files and TLS as psql knows them; only its package pgconn",
	"github.com/fsnotify/fsnotify":            "notices changes in private libraries on every system",
	"github.com/google/cel-go":                "what a scenario expects, and what a check looks for, in the language of Kubernetes' admission policies, checked and bounded before it runs",
	"github.com/google/go-cmp":                "readable differences in tests",
	"github.com/google/jsonschema-go":         "JSON Schema from Go structs, the same for the API, the MCP server and editors",
	"github.com/mattn/go-runewidth":           "how wide Hangul is on a terminal",
	"github.com/modelcontextprotocol/go-sdk":  "the official implementation of the Model Context Protocol",
	"github.com/prometheus/client_golang":     "metrics in the form that everybody scrapes",
	"github.com/rogpeppe/go-internal":         "the command line tested as scripts",
	"github.com/spf13/cobra":                  "the command line that users of kubectl-like tools expect: help, completion, suggestions",
	"github.com/yuin/goldmark":                "Markdown as CommonMark defines it, safe by default",
	"go.yaml.in/yaml/v3":                      "YAML with positions and comments, the maintained successor of the archived gopkg.in/yaml.v3",
	"golang.org/x/net":                        "the HTML parser that reads saved pages as browsers do",
	"golang.org/x/term":                       "whether the output is a terminal, and how wide",
	"golang.org/x/text":                       "Unicode normalisation of what is searched",
	"golang.org/x/time":                       "token buckets",
	"k8s.io/apimachinery":                     "amounts as Kubernetes reads them",
	"k8s.io/api":                              "the objects of Kubernetes, read from protobuf",
	"k8s.io/client-go":                        "kubeconfigs, contexts and ways to log in as kubectl knows them",
	"github.com/chromedp/chromedp":            "the site tested in a real browser",
	"github.com/chromedp/cdproto":             "the types of chromedp's protocol",
}

var requirement = regexp.MustCompile(`^\s*(?:require )?([\w./-]+) v\S+$`)

func TestModules(t *testing.T) {
	src, err := os.ReadFile(root + "/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	direct := map[string]bool{}
	for line := range strings.SplitSeq(string(src), "\n") {
		if m := requirement.FindStringSubmatch(line); m != nil {
			direct[m[1]] = true
		}
	}
	if len(direct) < 5 {
		t.Fatalf("go.mod gives %d direct dependencies only; is the pattern right?", len(direct))
	}
	for path := range direct {
		if modules[path] == "" {
			t.Errorf("%s is a direct dependency without a reason; add one to this list, or do without", path)
		}
	}
	for path := range modules {
		if !direct[path] {
			t.Errorf("%s has a reason and is no dependency; take it off this list", path)
		}
	}
}
