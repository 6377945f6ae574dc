package web

import (
	"slices"

	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/bilingual"
)

// vocabPage shows the vocabulary: all lists with the names of their terms.
type vocabPage struct {
	frame
	Lists []vocabList
}

func (*vocabPage) template() string { return "vocab" }

// vocabListPage shows one list with the definitions of its terms.
type vocabListPage struct {
	frame
	List vocabList
}

func (*vocabListPage) template() string { return "vocablist" }

type vocabList struct {
	ID         string
	Name       text
	Definition text
	Href       string
	Terms      []vocabTerm
}

type vocabTerm struct {
	ID         string
	Name       text
	Other      string // the name in the other language
	OtherLang  bilingual.Lang
	Definition text
	Synonyms   []string
	Parent     link
	Cases      int
	Count      string
	Href       string // of its topic, if it is one and has cases
}

func (s *site) vocab(r *request) (page, error) {
	list := r.PathValue("list")
	v, err := r.app.Vocab(list)
	if err != nil {
		return nil, err
	}
	var lists []vocabList
	for _, l := range v.Lists {
		lists = append(lists, newVocabList(l, r.lang))
	}
	if list == "" {
		p := &vocabPage{frame: s.newFrame(r, "/vocab", word("nav-vocab", r.lang)), Lists: lists}
		p.Nav, p.Kind, p.Data, p.Desc = "vocab", "list", "/vocab", word("vocab-desc", r.lang)
		return p, nil
	}
	p := &vocabListPage{frame: s.newFrame(r, "/vocab/"+list, lists[0].Name.S+" · "+word("nav-vocab", r.lang)), List: lists[0]}
	p.Nav, p.Kind, p.Data, p.Desc = "vocab", "list", "/vocab/"+list, lists[0].Definition.S
	return p, nil
}

func newVocabList(l app.VocabList, lang bilingual.Lang) vocabList {
	out := vocabList{ID: l.ID, Name: read(&l.Name, lang), Definition: read(&l.Definition, lang), Href: localPath(lang, "/vocab/"+l.ID)}
	names := map[string]string{}
	for i := range l.Terms {
		names[l.Terms[i].ID] = read(&l.Terms[i].Name, lang).S
	}
	for _, t := range l.Terms {
		one := vocabTerm{
			ID: t.ID, Name: read(&t.Name, lang), Other: t.Name.In(lang.Other()), OtherLang: lang.Other(),
			Definition: read(&t.Definition, lang), Synonyms: t.Synonyms.En, Cases: t.Cases, Count: count(t.Cases, lang),
		}
		if lang == bilingual.Korean {
			one.Synonyms = t.Synonyms.Ko
		}
		if t.Parent != "" {
			one.Parent = link{"#" + t.Parent, names[t.Parent]}
		}
		if t.Cases > 0 && slices.Contains(app.TopicLists(), l.ID) {
			one.Href = localPath(lang, "/topics/"+l.ID+"/"+t.ID)
		}
		out.Terms = append(out.Terms, one)
	}
	return out
}
