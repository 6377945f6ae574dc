package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/check/object"
	"github.com/openprecedent/precedent/internal/check/rule"
	"github.com/openprecedent/precedent/internal/check/source/cluster"
	"github.com/openprecedent/precedent/internal/check/source/files"
	"github.com/openprecedent/precedent/internal/nearest"
	"github.com/openprecedent/precedent/internal/output"
)

// checkFlags are the flags of precedent check.
type checkFlags struct {
	view
	only       []string
	set        []string
	failOn     string
	strict     bool
	cluster    bool
	kubeconfig string
	context    string
	pageWait   time.Duration
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
pod that the command runs in: lists only, never a Secret, and of ConfigMaps only that
of CoreDNS. What the account may not list is not checked, and said.

PATH is a file, a folder that is searched for .yaml, .yml and .json files, or - for
standard input. Manifests, the output of Helm and Kustomize, and what kubectl get -o
yaml or json prints are read.

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
  precedent check deploy/ --only CK-104 --set CK-104.share=0.5
  precedent check deploy/ --json --fail-on high`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return p.check(cmd.Context(), args, &f) },
	}
	f.flags(cmd)
	cmd.Flags().StringSliceVar(&f.only, "only", nil, "make these checks only, by id (repeatable)")
	cmd.Flags().StringArrayVar(&f.set, "set", nil, "set a parameter of a check, as ID.name=number (repeatable)")
	cmd.Flags().StringVar(&f.failOn, "fail-on", string(rule.Low), "least severity of a finding for exit code 3: "+strings.Join(severities(), ", ")+", or none")
	cmd.Flags().BoolVar(&f.strict, "strict", false, "exit with 4 for everything that was not checked")
	cmd.Flags().BoolVar(&f.cluster, "cluster", false, "read the live cluster of the kubeconfig")
	cmd.Flags().StringVar(&f.kubeconfig, "kubeconfig", "", "with --cluster: the kubeconfig (default as kubectl finds it)")
	cmd.Flags().StringVar(&f.context, "context", "", "with --cluster: the context of the kubeconfig")
	cmd.Flags().DurationVar(&f.pageWait, "page-timeout", 30*time.Second, "with --cluster: how long to wait for a page of a list")
	for flag, complete := range map[string]cobra.CompletionFunc{
		"only": p.completeChecks, "fail-on": cobra.FixedCompletions(append(severities(), "none"), cobra.ShellCompDirectiveNoFileComp),
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
	if err := severityNamed(f.failOn); err != nil {
		return err
	}
	q := app.CheckQuery{Only: f.only}
	var err error
	if q.Set, err = checkSettings(f.set); err != nil {
		return err
	}
	if len(paths) == 0 && !f.cluster {
		return app.Invalidf("", "name files or folders, or give --cluster", "nothing to check was given").
			Korean("파일이나 폴더를 쓰거나 --cluster를 준다", "점검할 것이 없다")
	}
	a, lang, err := p.open()
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
	if err := p.write(f.view, answer, func() output.Page { return output.CheckPage(answer, lang) }); err != nil {
		return err
	}
	return verdictOf(answer, f)
}

// readChecked reads what is to be checked, and returns what of the files could not
// be read.
func (p *process) readChecked(ctx context.Context, snap *object.Snapshot, paths []string, f *checkFlags) ([]app.Gap, error) {
	if f.cluster {
		_, err := cluster.Read(ctx, snap, cluster.Options{Kubeconfig: f.kubeconfig, Context: f.context, Wait: f.pageWait})
		if err != nil {
			return nil, app.Unreachablef("see that `kubectl get nodes` works with the same kubeconfig and context", "reading the cluster: %w", err).
				Korean("같은 kubeconfig와 context로 `kubectl get nodes`가 되는지 본다", "클러스터를 읽지 못했다: %w")
		}
	}
	if len(paths) == 0 {
		return nil, nil
	}
	report, err := files.Read(ctx, snap, paths, p.in)
	if err != nil {
		return nil, app.Invalidf("", "name a file, a folder, or - for standard input", "reading what is to be checked: %w", err).
			Korean("파일이나 폴더, 또는 표준 입력을 뜻하는 -를 쓴다", "점검할 것을 읽지 못했다: %w")
	}
	var gaps []app.Gap
	for _, problem := range report.Problems {
		what := problem.Source
		if problem.Line > 0 {
			what += ":" + strconv.Itoa(problem.Line)
		}
		gaps = append(gaps, app.Gap{What: what, Why: problem.Msg, Help: problem.Help})
	}
	if report.Objects == 0 {
		gaps = append(gaps, app.Gap{What: strings.Join(paths, ", "), Why: "holds no object", Help: "give manifests, or the output of kubectl get -o yaml"})
	}
	return gaps, nil
}

// verdictOf makes the exit code of an answer.
func verdictOf(a *app.CheckAnswer, f *checkFlags) error {
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

func severityNamed(name string) error {
	all := append(severities(), "none")
	if slices.Contains(all, name) {
		return nil
	}
	hint, ko := "write one of "+strings.Join(all, ", "), strings.Join(all, ", ")+" 가운데 하나를 쓴다"
	if near, ok := nearest.Of(name, all); ok {
		hint, ko = fmt.Sprintf("did you mean %q?", near), fmt.Sprintf("혹시 %q?", near)
	}
	return app.Invalidf("fail-on", hint, "no severity is named %q", name).Korean(ko, "그런 심각도가 없다: %q")
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
