package scenario

import (
	"strings"
	"testing"
)

const pageFile = `
name: page
title: {en: A page, ko: 쪽}
replays: PR-0001
mechanisms: [retry-storm]
parts:
  users: {kind: source, rate: 10/s, call: {to: web}}
  web: {kind: server, work: 10ms}
run: {for: 10m, zero: 2m}
page:
  clock: 2015-09-20T02:19-07:00
  phases:
    - {from: T-1m, name: before}
    - {from: T+0s, name: {en: trouble, ko: 문제}}
  charts:
    - {title: errors, unit: share, lines: [{name: failed, of: users.failed / users.offered}]}
  loop: {steps: [a feeds b, b feeds a], gain: "1.0"}
  misfits: [{en: nothing, ko: 없음}]
  sliders: [{set: web.workers, name: workers, values: ["1", "2"]}]
  yours: [{parameter: web.work, how: look}]
  map: {x: users.rate=10/s..100/s, y: web.workers=1..4}
`

func TestPage(t *testing.T) {
	f, problems := Decode("test.yaml", []byte(pageFile), nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	p := f.Page
	if f.Title.Ko != "쪽" || p.Phases[0].Name.Ko != "before" || p.Phases[1].Name.Ko != "문제" {
		t.Errorf("the texts are %+v, %+v", f.Title, p.Phases)
	}
	if at := p.Phases[0].From.Time().Seconds(); at != 60 {
		t.Errorf("the first phase begins at %v s, want 60", at)
	}
	for _, tt := range []struct{ from, to, want string }{
		{"T-1m, name", "T+9m, name", "outside of the run"},
		{"T-1m, name", "T+1m, name", "in their order"},
		{"zero: 2m", "seed: 2", "when T+0 is"},
		{"-07:00", "", "with its offset"},
		{"unit: share", "unit: shard", `did you mean "share"`},
		{`["1", "2"]`, `["1"]`, "nothing to choose"},
		{"steps: [a feeds b, b feeds a], ", "", "steps"},
	} {
		refusedText(t, strings.Replace(pageFile, tt.from, tt.to, 1), tt.want)
	}
}
