package output

import (
	"encoding/xml"
	"io"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/check/rule"
)

// The parts of the JUnit report that CI systems read. Nobody has defined it; these
// are those that Jenkins and GitLab both know.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string       `xml:"name,attr"`
		Class   string       `xml:"classname,attr"`
		Failure *junitReason `xml:"failure,omitempty"`
		Error   *junitReason `xml:"error,omitempty"`
		Skipped *junitReason `xml:"skipped,omitempty"`
	}
	junitReason struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes findings as a test report, a suite for each check: findings that
// count, from failOn up, fail; the others, the muted ones and what could not be
// checked are skipped with the reason; what was to be read and could not be is an
// error. A mute that has come to its end fails, as it does everywhere.
func JUnit(w io.Writer, a *app.CheckAnswer, failOn rule.Severity, l bilingual.Lang) error {
	all := junitSuites{}
	for _, n := range a.Checks {
		s := junitSuite{Name: n.Check + " " + Read(&n.Title, l)}
		for _, f := range a.Findings {
			if f.Check == n.Check {
				s.add(junitFinding(f, failOn, l))
			}
		}
		for _, u := range a.NotChecked {
			if u.Check == n.Check {
				s.add(junitUnchecked(u, l))
			}
		}
		if len(s.Cases) == 0 {
			s.add(junitCase{Name: in(l, "clear", "이상 없음"), Class: n.Check})
		}
		all.add(s)
	}
	mutes := junitSuite{Name: in(l, "Mutes to look at", "다시 볼 숨김")}
	for _, e := range a.Expired {
		c, why := junitCase{Name: e.Object, Class: e.Check}, &junitReason{Message: expiredText(e, l)}
		if e.Unused {
			c.Skipped = why
		} else {
			c.Failure = why
		}
		mutes.add(c)
	}
	if len(mutes.Cases) > 0 {
		all.add(mutes)
	}
	gaps := junitSuite{Name: in(l, "What could not be read", "읽지 못한 것")}
	for _, g := range a.Gaps {
		gaps.add(junitCase{Name: g.What, Class: "read", Error: &junitReason{Message: Read(&g.Reason, l), Text: Read(&g.Advice, l)}})
	}
	if len(gaps.Cases) > 0 {
		all.add(gaps)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (all *junitSuites) add(s junitSuite) {
	all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
	all.Suites = append(all.Suites, s)
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func junitFinding(f app.CheckFinding, failOn rule.Severity, l bilingual.Lang) junitCase {
	c := junitCase{Name: objectName(f.Object, l), Class: f.Check}
	reason := &junitReason{Message: Read(&f.Message, l), Type: string(f.Severity), Text: Read(&f.Remedy, l)}
	switch {
	case f.Muted != nil:
		c.Skipped = &junitReason{Message: mutedWhy(f.Muted, l)}
	case failOn != "" && f.Severity.AtLeast(failOn):
		c.Failure = reason
	default:
		c.Skipped = reason
	}
	return c
}

func junitUnchecked(u app.Unchecked, l bilingual.Lang) junitCase {
	why := Read(&u.Why, l)
	c := junitCase{Name: why, Class: u.Check}
	if u.Tried {
		c.Error = &junitReason{Message: why}
	} else {
		c.Skipped = &junitReason{Message: why}
	}
	return c
}
