package casefile

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openprecedent/precedent/internal/library/vocab"
)

const exampleFile = "cases/PR-0000.yaml"

// example returns the case that doc/case-format.md shows.
func example(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile("../../../doc/case-format.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, ok := strings.Cut(string(raw), "```yaml\n")
	src, _, ok2 := strings.Cut(after, "```")
	if !ok || !ok2 {
		t.Fatal("doc/case-format.md holds no example")
	}
	return src
}

func terms(t *testing.T) *vocab.Set {
	t.Helper()
	set, problems := vocab.Load(vocab.Source{FS: os.DirFS("../../../corpus")})
	if len(problems.Errors()) > 0 {
		t.Fatalf("loading the vocabularies: %v", problems)
	}
	return set
}

func lintSource(t *testing.T, src string, set *vocab.Set) []string {
	t.Helper()
	_, _, problems := Check(exampleFile, []byte(src), set)
	lines := make([]string, len(problems))
	for i, p := range problems {
		lines[i] = p.String()
	}
	return lines
}

func TestExampleOfTheFormatPageIsCleanAndCanonical(t *testing.T) {
	src := example(t)
	if got := lintSource(t, src, terms(t)); len(got) > 0 {
		t.Errorf("the example has problems:\n%s", strings.Join(got, "\n"))
	}
	formatted, problems := Format(exampleFile, []byte(src))
	if problems != nil {
		t.Fatal(problems)
	}
	if diff := cmp.Diff(src, string(formatted)); diff != "" {
		t.Errorf("the example is not canonical (-page +formatted):\n%s", diff)
	}
}

func TestFormatPageNamesEveryField(t *testing.T) {
	pages := map[string]string{}
	for _, file := range []string{"case-format.md", "case-format.ko.md"} {
		src, err := os.ReadFile("../../../doc/" + file)
		if err != nil {
			t.Fatal(err)
		}
		pages[file] = string(src)
	}
	seen := map[reflect.Type]bool{}
	var check func(typ reflect.Type)
	check = func(typ reflect.Type) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || seen[typ] {
			return
		}
		seen[typ] = true
		for i := range typ.NumField() {
			f := typ.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
			if name == "" {
				continue
			}
			for file, page := range pages {
				if !strings.Contains(page, name) {
					t.Errorf("doc/%s does not name the field %q of %s", file, name, typ)
				}
			}
			if f.Tag.Get("jsonschema") == "" {
				t.Errorf("field %s of %s has no description", f.Name, typ)
			}
			if jsonName, _, _ := strings.Cut(f.Tag.Get("json"), ","); jsonName != name {
				t.Errorf("field %s of %s is %q in YAML and %q in JSON", f.Name, typ, name, jsonName)
			}
			check(f.Type)
		}
	}
	check(reflect.TypeFor[Case]())
}

// Every rule has a mutation of the example that sets it off. The wanted line
// is the golden message.
func TestLint(t *testing.T) {
	src := example(t)
	set := terms(t)
	tests := []struct{ name, old, replacement, want string }{
		{"bad id", "id: PR-0000\n", "id: pr-1\n",
			`id: "pr-1" is no case id; write capital letters, a hyphen and four to six digits, as in PR-0042 [bad-id]`},
		{"file name", "id: PR-0000\n", "id: PR-0001\n",
			`id: is "PR-0001" in the file of "PR-0000"; name the file PR-0001.yaml [file-name]`},
		{"schema", "schema: 1\n", "schema: 9\n",
			`schema: version 9 is not known; this program reads version 1 [schema]`},
		{"slug", "slug: example-shop", "slug: Example Shop",
			`org.slug: "Example Shop" is no slug; use lower-case letters, digits and hyphens [bad-slug]`},
		{"missing field", "date_kind: occurred\n", "",
			`date_kind: is missing; write it; the format is on the page /docs/format of precedent serve [required]`},
		{"missing field of an entry", "kind: rollback\n    ", "",
			`actions[1].kind: is missing; write it; the format is on the page /docs/format of precedent serve [required]`},
		{"empty id", "id: PR-0000\n", "id: \"\"\n",
			`id: the value is empty; leave the field out where it is not known [empty]`},
		{"empty list", "codes: [timeout, error-rate-increase]", "codes: []",
			`symptoms.codes: is empty; write at least one entry [required]`},
		{"choice", "role: root", "role: main",
			`causes[0].role: "main" is not allowed; write root, contributing [bad-choice]`},
		{"unknown term, nearest", "code: retry-storm", "code: retry-strom",
			`mechanisms[0].code: the list mechanism has no term "retry-strom"; did you mean "retry-storm"? [unknown-term]`},
		{"unknown term, other list", "code: retry-storm", "code: capacity-shortfall",
			`mechanisms[0].code: the list mechanism has no term "capacity-shortfall"; it is a term of the list cause [unknown-term]`},
		{"unknown term, short list", "how: alert", "how: telepathy",
			`detection.how: the list detection has no term "telepathy"; use one of `},
		{"repeated term", "codes: [timeout, error-rate-increase]", "codes: [timeout, timeout]",
			`symptoms.codes[1]: "timeout" stands already at symptoms.codes[0]; keep one [repeated-term]`},
		{"term repeated often", "codes: [timeout, error-rate-increase]", "codes: [timeout, timeout, timeout, timeout]",
			`symptoms.codes[1]: "timeout" stands already at symptoms.codes[0], and 4 times in all; keep one [repeated-term]`},
		{"range", "error_rate_max: 0.38", "error_rate_max: 38",
			`impact.error_rate_max: 38 is no share; write a fraction of one, 0.55 for 55% [out-of-range]`},
		{"metric without value", "value: 0.38\n    ", "",
			`observed[0]: has only one of metric and value; write both or neither [half-measured]`},
		{"language missing", ", ko: 모든 매장의 결제}", "}",
			`impact.scope: the "ko" side is missing; write it; it is never filled from the other side [missing-language]`},
		{"English in the Korean side", "ko: 풀 크기를 야간 부하에 맞춰 정했다.", "ko: The pool was sized for the night.",
			`causes[0].text.ko: holds no Korean; write the Korean side in Korean [missing-language]`},
		{"Korean in the English side", "en: The pool was sized from the night's load.", "en: 풀 크기를 정했다.",
			`causes[0].text.en: holds Korean; write the English side in English [missing-language]`},
		{"over-long", "en: Checkout returned", "en: " + strings.Repeat("Long ", 50) + "returned",
			`title.en: has 315 characters; keep it under 200 [over-long]`},
		{"ellipsis", "The pool was sized from the night's load.", "The pool was sized…",
			`causes[0].text.en: ends in an ellipsis; write the text out [truncated]`},
		{"cut off", "keep the wait shorter than the caller's patience.", "keep the wait shorter than the",
			`lessons[0].en: ends in "the", not at the end of a sentence; finish the sentence [truncated]`},
		{"open back-quote", "A deploy halved", "A deploy of `pool halved",
			"trigger.text.en: a back-quote is left open; close it [truncated]"},
		{"open bracket", "A deploy halved", "A deploy (at night halved",
			"trigger.text.en: a bracket is left open; close it [truncated]"},
		{"figures differ", "ko: 결제 요청의 38%가", "ko: 결제 요청의 83%가",
			`observed[0].text: 38% stands in English only; make both sides state the same figures [sides-differ]`},
		{"zone", `"2026-03-02T18:05+09:00", zone: KST`, `"2026-03-02T18:05+09:00", zone: EST`,
			`times.start.zone: EST is -05:00 or +10:00, and the time 2026-03-02T18:05+09:00 is not; check both in the source; keep a contradiction of the source in conflicts [wrong-zone]`},
		{"weekday", "en: A deploy halved the pool size.", "en: On Sunday 2 March a deploy halved it.",
			`trigger.text.en: "Sunday 2 March" was a Monday; check the date in the source; keep a contradiction of the source in conflicts [wrong-weekday]`},
		{"Korean weekday", "ko: 배포로", "ko: 3월 2일 화요일 배포로",
			`trigger.text.ko: "3월 2일 화요일" was a Monday; check the date in the source; keep a contradiction of the source in conflicts [wrong-weekday]`},
		{"end before start", "resolved: {at: \"2026-03-02T18:45", "resolved: {at: \"2026-03-02T17:45",
			`times.resolved: 2026-03-02T17:45+09:00 is before start, 2026-03-02T18:05+09:00; check both in the source [time-order]`},
		{"date is not the start", "date: 2026-03-02", "date: 2026-03-03",
			`date: 2026-03-03 is not the day of times.start, 2026-03-02T18:05+09:00; the date is the day the incident began, in its own zone [time-order]`},
		{"actions out of order", `at: "2026-03-02T18:40+09:00"`, `at: "2026-03-02T18:20+09:00"`,
			`actions[1].at: 2026-03-02T18:20+09:00 is before the action above, 2026-03-02T18:25+09:00; list the actions in the order in which they happened [time-order]`},
		{"stated duration differs", "observed:\n", "durations:\n  resolve: {value: 2h}\nobserved:\n",
			`durations.resolve: 2h is stated, the times give 40m; record it in conflicts, or leave the stated one out [duration-differs]`},
		{"stated duration that differs, to the detection", "observed:\n", "durations:\n  detect: {value: 2h}\nobserved:\n",
			`durations.detect: 2h is stated, the times give 4m; record it in conflicts, or leave the stated one out [duration-differs]`},
		{"clock without zone", `detected: {at: "2026-03-02T18:09+09:00"`, `detected: {at: "2026-03-02T18:09"`,
			`times.detected.at: "2026-03-02T18:09" has no zone; add the offset, as in "2026-03-02T18:09-07:00", or leave the clock time out [bad-value]`},
		{"source that does not exist", "effect: worked", "effect: worked\n    sources: [status]",
			`actions[1].sources[0]: no source "status"; the sources here are report [dangling-source]`},
		{"footnote that does not exist", "the caller's patience.", "the caller's patience.[^page]",
			`lessons[0].en: no source "page"; the sources here are report [dangling-source]`},
		{"no first party", "kind: official-postmortem", "kind: press",
			`sources: no source is the organisation's own; add one, or say in review.no_first_party why none could be read [no-first-party]`},
		{"address with a name before it", "url: https://example.com", "url: https://example.org@example.com",
			`sources[0].url: "https://example.org@example.com/postmortems/checkout" is no web address; write https://... [bad-url]`},
		{"bad address", "url: https://example.com", "url: example.com",
			`sources[0].url: "example.com/postmortems/checkout" is no web address; write https://... [bad-url]`},
		{"link to itself", "review:", "related:\n  - {id: PR-0000, relation: same-cause}\nreview:",
			`related[0].id: names the case itself; name another case [self-link]`},
		{"link that contradicts", "review:", "related:\n  - {id: PR-0001, relation: same-cause}\nnot_related:\n  - {id: PR-0001, reason: {en: Other., ko: 다르다.}}\nreview:",
			`not_related[0].id: PR-0001 is also in related; keep one [contradiction]`},
		{"merged into nothing", "state: published", "state: merged",
			`superseded_by: is missing; name the case it became part of [required]`},
		{"published and superseded", "state: published", "state: published\nsuperseded_by: PR-0001",
			`superseded_by: names a case to read instead of one that is published; set the state to merged or withdrawn, or leave the link out [contradiction]`},
		{"withdrawn without a reason", "state: published", "state: withdrawn",
			`withdrawn_reason: is missing; write it; the format is on the page /docs/format of precedent serve [required]`},
		{"two sources of one id", "review:", "  - {id: report, url: https://example.com/b, kind: official-status}\nreview:",
			`sources[1].id: "report" stands twice; give each source its own id [duplicate-id]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			broken := strings.Replace(src, tt.old, tt.replacement, 1)
			if broken == src {
				t.Fatalf("the example does not hold %q", tt.old)
			}
			got := lintSource(t, broken, set)
			for _, line := range got {
				_, after, _ := strings.Cut(line, ": ") // the place
				if _, after, _ = strings.Cut(after, ": "); strings.HasPrefix(after, tt.want) {
					return
				}
			}
			t.Errorf("got\n%s\nwant a line with\n%s", strings.Join(got, "\n"), tt.want)
		})
	}
}

// Leaving out any required field of the example is reported by its name.
func TestLintNamesEachMissingField(t *testing.T) {
	src := example(t)
	set := terms(t)
	lines := strings.Split(src, "\n")
	for _, field := range []string{"schema", "id", "state", "org", "title", "summary", "date", "date_kind", "symptoms", "causes", "components", "sources", "review"} {
		var kept []string
		skipping := false
		for _, line := range lines {
			if !strings.HasPrefix(line, " ") {
				skipping = strings.HasPrefix(line, field+":")
			}
			if !skipping {
				kept = append(kept, line)
			}
		}
		want := field + ": is missing"
		if got := strings.Join(lintSource(t, strings.Join(kept, "\n"), set), "\n"); !strings.Contains(got, want) {
			t.Errorf("without %s: got %q, want %q", field, got, want)
		}
	}
}

func TestADraftNeedsLittle(t *testing.T) {
	src := "schema: 1\nid: PR-0000\nstate: draft\ntitle: {en: A draft, ko: 초안}\nreview: {status: unreviewed}\n"
	if got := lintSource(t, src, terms(t)); len(got) > 0 {
		t.Errorf("problems of a minimal draft:\n%s", strings.Join(got, "\n"))
	}
	src = strings.Replace(src, "status: unreviewed", "by: somebody", 1)
	if got, want := strings.Join(lintSource(t, src, terms(t)), "\n"), "review.status: is missing"; !strings.Contains(got, want) {
		t.Errorf("a draft without review.status: got %q, want %q", got, want)
	}
}

// A draft in one language is one finding; a published case names each text.
func TestTextsInOneLanguage(t *testing.T) {
	src := example(t)
	src = regexp.MustCompile(`(?m)^ *ko: .*(\n {4}.*)*\n|, ko: [^}]*`).ReplaceAllString(src, "")
	missing := func(src string) []string {
		return slices.DeleteFunc(lintSource(t, src, terms(t)), func(line string) bool {
			return !strings.Contains(line, "[missing-language]")
		})
	}
	if got := missing(src); len(got) < 12 {
		t.Errorf("of a published case: got %d findings, want one a text:\n%s", len(got), strings.Join(got, "\n"))
	}
	got := missing(strings.Replace(src, "state: published", "state: draft", 1))
	want := `: warning: title: the "ko" side is missing here and in 1`
	if len(got) != 1 || !strings.Contains(got[0], want) || !strings.Contains(got[0], " more texts; write them before") {
		t.Errorf("of a draft: got\n%s\nwant one line with\n%s", strings.Join(got, "\n"), want)
	}
}

// However often a term is repeated, and however much is wrong, the report is
// one that can be read.
func TestReportsAreBounded(t *testing.T) {
	src := example(t)
	many := strings.Replace(src, "tags: [database]", "tags: ["+strings.Repeat("database, ", 20_000)+"database]", 1)
	got := lintSource(t, many, terms(t))
	if len(got) != 1 || !strings.Contains(got[0], "20001 times in all") {
		t.Errorf("%d findings of one repeated term: %.1000s", len(got), got)
	}
	wrong := strings.Repeat("x-y, ", 20_000)
	got = lintSource(t, strings.Replace(src, "tags: [database]", "tags: ["+wrong+"x]", 1), terms(t))
	if len(got) > 210 || !strings.Contains(strings.Join(got, "\n"), "more findings of this file are not shown") {
		t.Errorf("%d findings of 20,000 unknown terms, want a bound that says how many more", len(got))
	}
}

func TestAWithdrawnCaseNeedsItsReason(t *testing.T) {
	src := "schema: 1\nid: PR-0000\nstate: withdrawn\nwithdrawn_reason: {en: It was no outage., ko: 장애가 아니었다.}\n" +
		"title: {en: A case, ko: 사례}\nreview: {status: unreviewed}\n"
	if got := lintSource(t, src, terms(t)); len(got) > 0 {
		t.Errorf("problems of a withdrawn case without its text:\n%s", strings.Join(got, "\n"))
	}
}

func TestDurationOf(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "", -time.Hour: "", 400 * time.Millisecond: "", 45 * time.Second: "45s", 59*time.Second + 600*time.Millisecond: "1m",
		90 * time.Second: "2m", 51 * time.Minute: "51m", 4*time.Hour + 51*time.Minute: "4h51m", 50 * time.Hour: "50h",
	} {
		got := DurationOf(d)
		if got.String() != want || got.IsZero() != (want == "") {
			t.Errorf("DurationOf(%v) = %q, want %q", d, got, want)
		}
		if back, err := ParseDuration(want); want != "" && (err != nil || back != got) {
			t.Errorf("ParseDuration(%q) = %v, %v; want %v", want, back, err, got)
		}
	}
}

func TestMeasured(t *testing.T) {
	src := example(t)
	c, _, _ := Decode(exampleFile, []byte(src))
	got := c.Measured()
	if d := got["resolve"]; d.Value.String() != "40m" || d.Basis != "computed" {
		t.Errorf("resolve = %+v, want 40m, computed", d)
	}
	if _, ok := got["identify"]; ok {
		t.Error("identify is known although no source states it")
	}
}

func TestJSONRoundTrip(t *testing.T) {
	src := example(t)
	c, _, _ := Decode(exampleFile, []byte(src))
	raw, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var back Case
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(c, &back, cmp.AllowUnexported(Time{}, Duration{})); diff != "" {
		t.Errorf("the case changed on its way through JSON (-want +got):\n%s", diff)
	}
	if strings.Contains(string(raw), `"0001-`) || strings.Contains(string(raw), `:""`) {
		t.Errorf("JSON holds zero values: %s", raw)
	}
}

func FuzzDecode(f *testing.F) {
	page, err := os.ReadFile("../../../doc/case-format.md")
	if err != nil {
		f.Fatal(err)
	}
	_, after, _ := strings.Cut(string(page), "```yaml\n")
	src, _, _ := strings.Cut(after, "```")
	f.Add([]byte(src))
	f.Add([]byte("id: PR-1\ntimes: {start: {at: 2015}}\nactions:\n  - {at: 2015-01}\n"))
	set, _ := vocab.Load(vocab.Source{FS: os.DirFS("../../../corpus")})
	f.Fuzz(func(t *testing.T, src []byte) {
		c, _, _ := Check("cases/PR-0000.yaml", src, set)
		c.Measured()
	})
}
