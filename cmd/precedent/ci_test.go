package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// actionFile is what GitHub reads of an action's metadata.
type actionFile struct {
	Name        string `yaml:"name"`
	Description string `yaml:"description"`
	Branding    struct {
		Icon  string `yaml:"icon"`
		Color string `yaml:"color"`
	} `yaml:"branding"`
	Inputs map[string]struct {
		Description string  `yaml:"description"`
		Default     *string `yaml:"default"`
	} `yaml:"inputs"`
	Outputs map[string]struct {
		Description string `yaml:"description"`
		Value       string `yaml:"value"`
	} `yaml:"outputs"`
	Runs struct {
		Using string       `yaml:"using"`
		Steps []actionStep `yaml:"steps"`
	} `yaml:"runs"`
}

type actionStep struct {
	ID    string            `yaml:"id"`
	Name  string            `yaml:"name"`
	Uses  string            `yaml:"uses"`
	With  map[string]string `yaml:"with"`
	Shell string            `yaml:"shell"`
	Env   map[string]string `yaml:"env"`
	Run   string            `yaml:"run"`
}

// strict reads a YAML file at the root, in which every field must be known.
func strict(t *testing.T, name string, into any) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("../..", name))
	if err != nil {
		t.Fatal(err)
	}
	dec := yaml.NewDecoder(bytes.NewReader(src))
	dec.KnownFields(true)
	if err := dec.Decode(into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// TestActionIsWhole holds the action to what GitHub asks of a composite one: inputs
// reach the shell through the environment alone, and every input is used.
func TestActionIsWhole(t *testing.T) {
	var a actionFile
	strict(t, "action.yml", &a)
	if a.Name == "" || a.Description == "" || len(a.Description) > 125 || a.Runs.Using != "composite" {
		t.Errorf("name %q, description %q, using %q", a.Name, a.Description, a.Runs.Using)
	}
	used := map[string]bool{}
	for _, s := range a.Runs.Steps {
		if (s.Uses == "") == (s.Run == "") || s.Run != "" && s.Shell != "bash" {
			t.Errorf("the step %q must use an action, or run in bash", s.Name)
		}
		if strings.Contains(s.Run, "${{") {
			t.Errorf("the step %q puts a value into its script, which can break out of it", s.Name)
		}
		for _, v := range s.Env {
			for _, m := range regexp.MustCompile(`\$\{\{ inputs\.([a-z-]+) \}\}`).FindAllStringSubmatch(v, -1) {
				used[m[1]] = true
			}
		}
	}
	for name, in := range a.Inputs {
		if in.Description == "" || in.Default == nil || !used[name] {
			t.Errorf("the input %s lacks a description, a default or a use", name)
		}
	}
	if len(used) != len(a.Inputs) {
		t.Errorf("%d inputs are used, and %d are there", len(used), len(a.Inputs))
	}
}

// TestActionRuns runs the last step of the action as a runner does.
func TestActionRuns(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	var a actionFile
	strict(t, "action.yml", &a)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	firing := "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: web}\nspec: {rules: [{retry: {attempts: 9}}]}\n"
	for _, tt := range []struct {
		name    string
		files   map[string]string
		inputs  map[string]string
		code    int
		outputs string
		summary string
	}{
		{"findings", map[string]string{"web.yaml": firing}, nil, 3, "sarif=precedent.sarif\noutcome=findings\n", "CK-501"},
		{"findings that do not fail", map[string]string{"web.yaml": firing}, map[string]string{"FAIL_ON": "none"}, 0, "sarif=precedent.sarif\noutcome=clear\n", "CK-501"},
		{"other checks", map[string]string{"web.yaml": firing}, map[string]string{"ONLY": "CK-502,CK-104"}, 0, "sarif=precedent.sarif\noutcome=clear\n", "No finding"},
		{"several paths with spaces", map[string]string{"a b/web.yaml": firing, "c.yaml": firing}, map[string]string{"PATHS": "a b\nc.yaml\n", "SARIF": "a b/out.sarif"}, 3, "sarif=a b/out.sarif\noutcome=findings\n", "CK-501"},
		{"a path that looks like a flag", map[string]string{"--help/web.yaml": firing}, map[string]string{"PATHS": "--help"}, 3, "sarif=precedent.sarif\noutcome=findings\n", "CK-501"},
		{"incomplete", map[string]string{"web.yaml": "a: {{ .b }}\n"}, nil, 4, "sarif=precedent.sarif\noutcome=incomplete\n", "template"},
		{"incomplete that passes", map[string]string{"web.yaml": "a: {{ .b }}\n"}, map[string]string{"INCOMPLETE": "pass"}, 0, "sarif=precedent.sarif\noutcome=incomplete\n", "template"},
		{"no such path", nil, map[string]string{"PATHS": "$(touch broken)"}, 2, "outcome=failed\n", ""},
		{"no such library", nil, map[string]string{"LIBRARY": "nowhere"}, 2, "outcome=failed\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir, temp := t.TempDir(), t.TempDir()
			for name, text := range tt.files {
				name = filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Symlink(self, filepath.Join(temp, "precedent")); err != nil {
				t.Fatal(err)
			}
			step := a.Runs.Steps[slices.IndexFunc(a.Runs.Steps, func(s actionStep) bool { return s.ID == "check" })]
			cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "RUNNER_TEMP="+temp, "GITHUB_OUTPUT="+filepath.Join(temp, "output"), "GITHUB_STEP_SUMMARY="+filepath.Join(temp, "summary"), "LC_ALL=C")
			for name, from := range step.Env {
				value, changed := tt.inputs[name]
				if !changed {
					in := strings.TrimSuffix(strings.TrimPrefix(from, "${{ inputs."), " }}")
					value = *a.Inputs[in].Default
				}
				cmd.Env = append(cmd.Env, name+"="+value)
			}
			said, _ := cmd.CombinedOutput()
			if got := cmd.ProcessState.ExitCode(); got != tt.code {
				t.Errorf("exit code %d, want %d:\n%s", got, tt.code, said)
			}
			outputs, _ := os.ReadFile(filepath.Join(temp, "output"))
			if string(outputs) != tt.outputs {
				t.Errorf("outputs %q, want %q", outputs, tt.outputs)
			}
			summary, _ := os.ReadFile(filepath.Join(temp, "summary"))
			if !strings.Contains(string(summary), tt.summary) || tt.summary == "" && len(summary) > 0 {
				t.Errorf("the summary lacks %q:\n%s", tt.summary, summary)
			}
			if _, err := os.Stat(filepath.Join(dir, "broken")); err == nil {
				t.Error("a path was run as a command")
			}
		})
	}
}

// TestPreCommitHooks holds the hooks to the format of pre-commit's manifests, and
// runs their command lines.
func TestPreCommitHooks(t *testing.T) {
	var hooks []struct {
		ID            string   `yaml:"id"`
		Name          string   `yaml:"name"`
		Description   string   `yaml:"description"`
		Entry         string   `yaml:"entry"`
		Args          []string `yaml:"args"`
		Language      string   `yaml:"language"`
		Files         string   `yaml:"files"`
		PassFilenames *bool    `yaml:"pass_filenames"`
	}
	strict(t, ".pre-commit-hooks.yaml", &hooks)
	files := map[string][]string{
		"precedent-check": {"deploy/web.yaml", "x.yml", "rds/proxies.json"},
		"precedent-lint":  {"cases/ACME-0001.yaml", "incidents/checks/ACME-CK-1.yaml", "library.yaml"},
	}
	for _, h := range hooks {
		if h.Name == "" || h.Description == "" || h.Language != "golang" || h.PassFilenames == nil || *h.PassFilenames {
			t.Errorf("the hook %s lacks something: %+v", h.ID, h)
		}
		match := regexp.MustCompile(h.Files)
		for _, name := range files[h.ID] {
			if !match.MatchString(name) {
				t.Errorf("the hook %s does not run where %s changes", h.ID, name)
			}
		}
		if len(files[h.ID]) == 0 || match.MatchString("README.md") {
			t.Errorf("the hook %s is not known here, or runs where no file of it changes", h.ID)
		}
		words := append(strings.Fields(h.Entry), h.Args...)
		cmd, rest, err := (&process{env: func(string) string { return "" }}).rootCommand().Find(words[1:])
		if err != nil || words[0] != "precedent" || cmd.Name() != strings.TrimPrefix(h.ID, "precedent-") || !slices.Equal(rest, h.Args) {
			t.Errorf("the hook %s runs %q: %v", h.ID, words, err)
		}
	}
	if len(hooks) != len(files) {
		t.Errorf("%d hooks, want %d", len(hooks), len(files))
	}
}
