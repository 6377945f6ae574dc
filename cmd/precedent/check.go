package main

import (
	"context"
	"encoding/json"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/check/manifest"
	"github.com/openprecedent/precedent/internal/check/object"
	"github.com/openprecedent/precedent/internal/check/rule"
	"github.com/openprecedent/precedent/internal/check/source/cluster"
	"github.com/openprecedent/precedent/internal/check/source/files"
	"github.com/openprecedent/precedent/internal/strictyaml"
)

// checkFlags are the flags of precedent check.
type checkFlags struct {
	view
	databases  databaseFlags
	prometheus prometheusFlags
	format     string
	write      []string
	muted      string
	baseline   string
	only       []string
	set        []string
	failOn     string
	strict     bool
	cluster    bool
	kubeconfig string
	context    string
	pageWait   time.Duration
	certs      bool
}

func (p *process) checkCommand() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check [PATH...]",
		Short: "Find out whether your system is in the state that caused an incident",
		Long: `Check reads manifests and settings and looks for the states that caused the
incidents of the library. Each finding names the object, the fields and the values
it hangs on, the incidents behind it and what would clear it. Nothing is written
to what is read.

With --cluster the cluster of your kubeconfig is read, or that of the account of the
pod that the command runs in: lists only, and of ConfigMaps only that of CoreDNS. No
Secret is read but with --certificates, and of those then their certificates are kept
alone. What the account may not list is not checked, and said. What pods and nodes use
now is read where metrics-server tells; --prometheus asks a Prometheus what they used
at most in a day, with two queries that --script prometheus prints.

With --postgres and --mysql a server's settings, statistics and catalogs are read, in
transactions that may only read, and never a row of a table. Passwords come from where
psql and mysql look, or with the address from a variable. --script prints what is
asked; its saved output can be given as a PATH instead.

PATH is a file, a folder that is searched, or - for standard input. Manifests, the
output of Helm and Kustomize, what kubectl get -o yaml or json and the command line of
AWS print, the output of --script, SHOW VARIABLES, SHOW ALL, CONFIG GET and INFO of
Redis, SHOW CONFIG, pgbouncer.ini and userlist.txt of PgBouncer, files and the
config_dump of Envoy, and answers of the API of Prometheus are read. So are system
files, as judge and remedies take them: retries that multiply, and timeouts in the
wrong order, are found without a run.

A check of an object has one of four outcomes:

  in that state  it is as it was before, or in, the incidents
  exposed        it has what it takes to get there
  clear          all that it takes to tell was read, and it is not so
  not checked    something that it takes was not read; the reason is said

The exit code is 3 for findings of the severity --fail-on or worse, and otherwise 4
if something was to be read and could not be. What no source given could hold, such
as pods where manifests are read, does not count, but with --strict.`,
		Example: `  precedent check deploy/
  helm template shop ./chart | precedent check -
  kubectl get deploy,sts,ds,po,no,svc,hpa,pdb -A -o yaml | precedent check -
  precedent check --cluster
  precedent check --cluster --context production deploy/
  precedent check --cluster --prometheus https://prometheus.example.com
  precedent check --postgres postgres://precedent@db.example.com/shop
  precedent check --mysql env:DATABASE_URL deploy/
  precedent check postgres.shop.json pgbouncer.ini userlist.txt
  precedent check checkout.yaml --only CK-506,CK-507,CK-623,CK-624
  precedent check deploy/ --only CK-104 --set CK-104.share=0.5
  precedent check deploy/ --json --fail-on high
  precedent check deploy/ --write sarif=precedent.sarif --write md=summary.md`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return p.check(cmd.Context(), args, &f) },
	}
	f.flags(cmd)
	f.databases.flags(cmd)
	f.prometheus.flags(cmd)
	cmd.Flags().StringSliceVar(&f.only, "only", nil, "make these checks only, by id (repeatable)")
	cmd.Flags().StringArrayVar(&f.set, "set", nil, "set a parameter of a check, as ID.name=number (repeatable)")
	cmd.Flags().StringVar(&f.failOn, "fail-on", string(rule.Low), "least severity of a finding for exit code 3: "+strings.Join(severities(), ", ")+", or none")
	cmd.Flags().StringVar(&f.format, "format", "", "format of the answer: "+strings.Join(checkFormats, ", ")+" (default text)")
	cmd.Flags().StringArrayVar(&f.write, "write", nil, "write the answer to a file too, as FORMAT=FILE (repeatable)")
	cmd.Flags().StringVar(&f.muted, "muted", "", "file of findings that are known and not acted on, each with a reason and a last day")
	cmd.Flags().StringVar(&f.baseline, "baseline", "", "answer of an earlier check in JSON, whose findings do not count")
	cmd.MarkFlagsMutuallyExclusive("format", "json", "md")
	cmd.Flags().BoolVar(&f.strict, "strict", false, "exit with 4 for everything that was not checked")
	cmd.Flags().BoolVar(&f.cluster, "cluster", false, "read the live cluster of the kubeconfig")
	cmd.Flags().StringVar(&f.kubeconfig, "kubeconfig", "", "with --cluster: the kubeconfig (default as kubectl finds it)")
	cmd.Flags().StringVar(&f.context, "context", "", "with --cluster: the context of the kubeconfig")
	cmd.Flags().DurationVar(&f.pageWait, "page-timeout", 30*time.Second, "with --cluster: how long to wait for a page of a list")
	cmd.Flags().BoolVar(&f.certs, "certificates", false, "with --cluster: list the Secrets of type kubernetes.io/tls too, and keep their certificates")
	for flag, complete := range map[string]cobra.CompletionFunc{
		"format": cobra.FixedCompletions(checkFormats, cobra.ShellCompDirectiveNoFileComp),
		"script": cobra.FixedCompletions([]string{"aws", "mysql", "postgres", "prometheus"}, cobra.ShellCompDirectiveNoFileComp),
		"only":   p.completeChecks, "fail-on": cobra.FixedCompletions(append(severities(), "none"), cobra.ShellCompDirectiveNoFileComp),
	} {
		if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
			panic(err) // the flags were made above
		}
	}
	return cmd
}

func severities() []string {
	var names []string
	for _, s := range rule.SeverityLevels() {
		names = append(names, string(s))
	}
	return names
}

// completeChecks completes ids of checks.
func (p *process) completeChecks(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	lib, err := p.load()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var found []string
	for _, c := range lib.Checks() {
		found = append(found, c.ID+"\t"+c.Title.En)
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

func (p *process) check(ctx context.Context, paths []string, f *checkFlags) error {
	if f.databases.script != "" {
		return p.printScript(f.databases.script)
	}
	if err := oneOf("fail-on", f.failOn, append(severities(), "none"), "no severity is named %q", "그런 심각도가 없다: %q"); err != nil {
		return err
	}
	if err := f.formatsNamed(); err != nil {
		return err
	}
	q := app.CheckQuery{Only: f.only}
	var err error
	if q.Set, err = checkSettings(f.set); err != nil {
		return err
	}
	if len(paths) == 0 && !f.databases.any() && p.plugin() {
		f.cluster = true // who asks kubectl means the cluster
	}
	if len(paths) == 0 && !f.cluster && !f.databases.any() {
		return app.Invalidf("", "name files or folders, or give --cluster, --postgres or --mysql", "nothing to check was given").
			Korean("파일이나 폴더를 쓰거나 --cluster, --postgres, --mysql을 준다", "점검할 것이 없다")
	}
	a, lang, err := p.open()
	if err != nil {
		return err
	}
	muting, earlier, err := p.readKnown(a, f)
	if err != nil {
		return err
	}
	snap := object.NewSnapshot(time.Now())
	gaps, err := p.readChecked(ctx, snap, paths, f)
	if err != nil {
		return err
	}
	answer, err := a.Check(ctx, snap, q)
	if err != nil {
		return err
	}
	for _, gap := range gaps {
		answer.Gap(gap)
	}
	muting.Apply(answer, snap.Now)
	answer.Known(earlier)
	if err := p.writeCheck(f, answer, lang); err != nil {
		return err
	}
	return verdictOf(answer, f)
}

// readKnown reads what is muted, and the baseline; both are empty where no file is
// named.
func (p *process) readKnown(a *app.App, f *checkFlags) (*app.Muting, *app.CheckAnswer, error) {
	muting, earlier := &app.Muting{}, &app.CheckAnswer{}
	if f.muted != "" {
		src, err := p.readFile(f.muted, strictyaml.MaxSize)
		if err != nil {
			return nil, nil, err
		}
		var problems strictyaml.Problems
		if muting, problems = a.DecodeMuting(f.muted, src); len(problems) > 0 {
			return nil, nil, app.Invalidf("muted", "mend the file", "reading what is muted:\n%w", problems).Korean("파일을 고친다", "숨길 것을 적은 파일을 읽지 못했다:\n%w")
		}
	}
	if f.baseline != "" {
		src, err := p.readFile(f.baseline, manifest.MaxSize)
		if err != nil {
			return nil, nil, err
		}
		if err := json.Unmarshal(src, earlier); err != nil || earlier.Version == 0 {
			return nil, nil, app.Invalidf("baseline", "give what `precedent check --json` wrote", "%q is no answer of a check", f.baseline).
				Korean("`precedent check --json`이 쓴 것을 준다", "점검 결과가 아니다: %q")
		}
		if earlier.Version != app.WireVersion {
			return nil, nil, app.Invalidf("baseline", "make it anew with `precedent check --json`", "%q is of version %d of the answer, and not of %d", f.baseline, earlier.Version, app.WireVersion).
				Korean("`precedent check --json`으로 다시 만든다", "%q의 응답 버전은 %d이고, 이 프로그램의 버전은 %d이다")
		}
	}
	return muting, earlier, nil
}

// readChecked reads what is to be checked, and returns what of the files could not
// be read.
func (p *process) readChecked(ctx context.Context, snap *object.Snapshot, paths []string, f *checkFlags) ([]app.Gap, error) {
	if p.env("GOGC") == "" {
		debug.SetGCPercent(garbage(f.cluster))
	}
	if f.cluster {
		_, err := cluster.Read(ctx, snap, cluster.Options{Kubeconfig: f.kubeconfig, Context: f.context, Wait: f.pageWait, Certificates: f.certs})
		if err != nil {
			return nil, app.Unreachablef("see that `kubectl get nodes` works with the same kubeconfig and context", "reading the cluster: %w", err).
				Korean("같은 kubeconfig와 context로 `kubectl get nodes`가 되는지 본다", "클러스터를 읽지 못했다: %w")
		}
	}
	if err := p.readDatabases(ctx, snap, &f.databases); err != nil {
		return nil, err
	}
	if err := p.readPrometheus(ctx, snap, &f.prometheus); err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, nil
	}
	report, err := files.Read(ctx, snap, paths, p.in, app.SystemErrors)
	if err != nil {
		return nil, app.Invalidf("", "name a file, a folder, or - for standard input", "reading what is to be checked: %w", err).
			Korean("파일이나 폴더, 또는 표준 입력을 뜻하는 -를 쓴다", "점검할 것을 읽지 못했다: %w")
	}
	var gaps []app.Gap
	for _, problem := range report.Problems {
		gaps = append(gaps, app.GapOf(problem))
	}
	if report.Objects == 0 {
		gaps = append(gaps, app.GapOf(manifest.Problem{
			Source: strings.Join(paths, ", "), Msg: "holds no object", Help: "give manifests, the output of kubectl get -o yaml, or that of a script of --script",
		}))
	}
	return gaps, nil
}

// verdictOf makes the exit code of an answer.
func verdictOf(a *app.CheckAnswer, f *checkFlags) error {
	for _, e := range a.Expired {
		if !e.Unused {
			return app.Findingsf("act on it, or give it another day", "the mute of %s for %q has expired", e.Check, e.Object).
				Korean("조치하거나 날짜를 다시 정한다", "%s의 숨김 기한이 지났다: %q")
		}
	}
	if f.failOn != "none" {
		if n := a.AtLeast(rule.Severity(f.failOn)); n > 0 {
			return app.Findingsf("", "findings: %d", n).Korean("", "발견: %d건")
		}
	}
	if a.Incomplete || f.strict && len(a.NotChecked) > 0 {
		return app.Incompletef("see what was not read above; let it be read, or leave it out", "not all could be checked").
			Korean("위에 적힌 읽지 못한 것을 읽을 수 있게 하거나 뺀다", "모두 점검하지는 못했다")
	}
	return nil
}

// checkSettings reads ID.name=number.
func checkSettings(all []string) (map[string]map[string]float64, error) {
	set := map[string]map[string]float64{}
	for _, one := range all {
		path, value, _ := strings.Cut(one, "=")
		id, name, dotted := strings.Cut(path, ".")
		n, err := strconv.ParseFloat(value, 64)
		if err != nil || !dotted || name == "" {
			return nil, app.Invalidf("set", "write it as CK-104.share=0.5", "cannot read the setting %q", one).
				Korean("CK-104.share=0.5처럼 쓴다", "설정을 읽지 못했다: %q")
		}
		id = strings.ToUpper(id)
		if set[id] == nil {
			set[id] = map[string]float64{}
		}
		set[id][name] = n
	}
	return set, nil
}

// garbage is how much garbage may lie beside what is in use before it is collected, in
// percent. What is read stays until the end: to collect more often than at Go's 100 costs
// a quarter of the processor time more, and needs a quarter of the memory less. In a
// large cluster, of which more stays, it is worth a tenth more of that time.
func garbage(ofCluster bool) int {
	if ofCluster {
		return 20
	}
	return 30
}
