// Package app answers the questions that people and programs ask of
// precedent, one file a use. Every face shows these answers, so the same
// question has the same answer everywhere.
//
// The types of the answers are the wire form: their JSON is what the API, the
// MCP server and the --json flags of the command line return.
package app

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/check/rule"
	"github.com/openprecedent/precedent/internal/library"
	"github.com/openprecedent/precedent/internal/library/search"
	"github.com/openprecedent/precedent/internal/library/similar"
	"github.com/openprecedent/precedent/internal/library/vocab"
	"github.com/openprecedent/precedent/internal/nearest"
)

// WireVersion is the version of the wire form. It grows when a field changes
// its meaning or goes away; new fields may come at any time.
const WireVersion = 1

// App answers questions about one loaded library. It is read-only and safe
// for concurrent use.
type App struct {
	lib    *library.Library
	terms  *terms
	orgs   map[string]string // names by slug
	drafts bool              // drafts are shown to who knows their id
	// find builds what finds cases by words, once, when it is first asked for:
	// most commands look at one case, or at none.
	find func() (*finder, error)
	// read reads each scenario with its recording, once, when it is first asked for.
	read map[*library.Scenario]func() (*Scenario, error)
	// stats counts the library, once: every page of the site shows the figures.
	stats func() *Stats
	// checks compiles the checks, once, when they are first asked for.
	checks func() ([]*rule.Rule, error)
}

// finder finds cases by what is written in them.
type finder struct {
	index   *search.Index
	similar *similar.Engine
}

// New makes a library ready for questions. What takes long is prepared when the
// first question needs it, or by [App.Prepare].
func New(lib *library.Library) *App {
	a := &App{lib: lib, terms: newTerms(lib), orgs: map[string]string{}}
	a.find = sync.OnceValues(func() (*finder, error) {
		index, err := newIndex(lib, a.terms)
		if err != nil {
			return nil, fmt.Errorf("indexing the library: %w", err)
		}
		return &finder{index, similar.New(lib, index)}, nil
	})
	for _, e := range slices.Backward(lib.Cases()) { // the newest name counts
		a.orgs[e.Org.Slug] = e.Org.Name
	}
	a.read = map[*library.Scenario]func() (*Scenario, error){}
	for _, s := range lib.Scenarios() {
		a.read[s] = sync.OnceValues(func() (*Scenario, error) { return a.readScenario(s) })
	}
	a.stats = sync.OnceValue(func() *Stats { return newStats(lib) })
	a.checks = sync.OnceValues(func() ([]*rule.Rule, error) { return a.rules(CheckQuery{}) })
	return a
}

// Prepare builds the search index and the measure of similarity, so that no
// question waits for them.
func (a *App) Prepare() error {
	_, err := a.find()
	return err
}

// Version changes whenever the library does.
func (a *App) Version() string { return a.lib.Version }

// WithDrafts returns an App that also shows drafts to who asks for one by its
// id. A draft may hold facts that nobody has checked, so that it is for its
// author, and not for whoever reads a server.
func (a *App) WithDrafts() *App {
	with := *a
	with.drafts = true
	return &with
}

// Public reports whether every case that is shown is one of the public library,
// so that anybody may keep and repeat what is answered.
func (a *App) Public() bool {
	return !slices.ContainsFunc(a.lib.IDs(), func(id string) bool {
		e, _ := a.lib.Case(id)
		return a.shows(e) && e.Layer != library.Public
	})
}

// shows reports whether a case is shown to who asks for it by its id.
func (a *App) shows(e *library.Entry) bool {
	return e.State != "withdrawn" && (e.State != "draft" || a.drafts)
}

// Name returns the name of a vocabulary term in language l, or its id where the
// vocabulary does not know it.
func (a *App) Name(list, id string, l bilingual.Lang) string { return a.lib.Vocab.Name(list, id, l) }

// entry returns the case with the given id or an error that offers a near one.
func (a *App) entry(id string) (*library.Entry, error) {
	if e, ok := a.lib.Case(id); ok {
		if err := a.closed(e); err != nil {
			return nil, err
		}
		return e, nil
	}
	e := NotFoundf("id", "look for words of the incident with {call} instead", "no case %q", Short(id)).
		Korean("사고를 나타내는 말로 찾는다: {call}", "그런 사례가 없다: %q").Calling(UseSearch, "")
	ids := slices.DeleteFunc(a.lib.IDs(), func(id string) bool {
		e, _ := a.lib.Case(id)
		return !a.shows(e)
	})
	if near, ok := nearest.Of(id, ids); ok {
		e.offer(near)
	}
	return nil, e
}

// closed returns why a case is not shown, or nil.
func (a *App) closed(e *library.Entry) error {
	switch {
	case a.shows(e):
		return nil
	case e.State == "draft":
		return NotFoundf("id", fmt.Sprintf("its facts may not be checked yet; read it with `precedent show %s`, or start the server with --drafts", e.ID),
			"the case %q is a draft, and drafts are not shown here", e.ID).
			Korean(fmt.Sprintf("사실을 아직 확인하지 않았을 수 있다. `precedent show %s`로 읽거나 서버를 --drafts로 시작한다", e.ID),
				"초안은 여기에 보이지 않는다: %q")
	}
	gone := NotFoundf("id", "look for words of the incident with {call} instead", "the case %q was withdrawn", e.ID).
		Korean("사고를 나타내는 말로 찾는다: {call}", "철회된 사례다: %q").Calling(UseSearch, "")
	gone.Kind, gone.Note = Gone, e.WithdrawnReason
	if next, ok := a.successor(e); ok {
		gone.Near, gone.Hint, gone.koHint = next.ID, fmt.Sprintf("read %s instead", next.ID), fmt.Sprintf("대신 %s 사례를 읽는다", next.ID)
	}
	return gone
}

// successor returns the case to read in the place of e, which may itself have
// become part of another one.
func (a *App) successor(e *library.Entry) (*library.Entry, bool) {
	for next, ok := a.lib.Case(e.SupersededBy); ok; next, ok = a.lib.Case(next.SupersededBy) {
		if a.shows(next) {
			return next, true
		}
	}
	return nil, false // lint refuses circles
}

// topicLists are the lists whose terms are topics, in the order in which a
// term that stands in several is looked for.
var topicLists = []string{"mechanism", "cause", "symptom", "component", "remedy", "trigger", "tag", "impact"}

// TopicLists returns the lists whose terms are topics.
func TopicLists() []string { return slices.Clone(topicLists) }

// term finds a term by "list/id", or by its id, name or synonym alone. A term
// that the named list does not have is looked for in the others, so that a
// reader who remembers the wrong list still gets there; the answer names its list.
func (a *App) term(asked string) (list string, t *vocab.Term, err error) {
	name := strings.TrimSpace(asked)
	if list, id, ok := strings.Cut(name, "/"); ok && slices.Contains(topicLists, list) {
		if t, ok := a.lib.Vocab.Term(list, id); ok {
			return list, t, nil
		}
		name = id
	}
	for _, list := range topicLists {
		if t, ok := a.lib.Vocab.Term(list, strings.ToLower(name)); ok {
			return list, t, nil
		}
	}
	bare := unspaced(name)
	for _, same := range []func(string) bool{
		func(phrase string) bool { return strings.EqualFold(phrase, name) },
		func(phrase string) bool { return strings.EqualFold(unspaced(phrase), bare) },
	} {
		if list, t := a.phrased(same); t != nil {
			return list, t, nil
		}
	}
	e := NotFoundf("topic", "see {call} for the terms", "no topic %q", Short(asked)).
		Korean("용어 목록: {call}", "그런 주제가 없다: %q").Calling(UseVocab, "")
	var ids, phrases []string
	a.phrased(func(phrase string) bool { phrases = append(phrases, phrase); return false })
	for _, list := range topicLists {
		for _, id := range a.lib.Vocab.IDs(list) {
			ids = append(ids, list+"/"+id, id)
		}
	}
	if near, ok := nearest.Of(name, append(ids, phrases...)); ok {
		e.offer(near)
	} else if i := slices.IndexFunc(ids, func(id string) bool { return beginsWith(id, name) }); i >= 0 {
		e.offer(ids[i])
	}
	return "", nil, e
}

// beginsWith reports whether the words of an id begin with those of name.
func beginsWith(id, name string) bool {
	return name != "" && strings.HasPrefix(id, strings.ReplaceAll(strings.ToLower(name), " ", "-")+"-")
}

// phrased returns the first term of a topic that has a phrase of which same is
// true.
func (a *App) phrased(same func(phrase string) bool) (list string, t *vocab.Term) {
	for _, list := range topicLists {
		l, ok := a.lib.Vocab.List(list)
		if !ok {
			continue
		}
		for i := range l.Terms {
			if slices.ContainsFunc(l.Terms[i].Phrases(), same) {
				return list, &l.Terms[i]
			}
		}
	}
	return "", nil
}

// unspaced takes out what writers of a term disagree about: 재시도폭주, 재시도 폭주.
func unspaced(s string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' || r == '_' {
			return -1
		}
		return r
	}, s)
}
