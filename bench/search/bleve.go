package main

import (
	"strings"
	"unicode"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/custom"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/analysis/token/lowercase"
	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/blevesearch/bleve/v2/registry"
	"github.com/blevesearch/bleve/v2/search/query"
)

// bleveEngine is bleve: as it comes, with the standard analyser and one match
// query, or as well as we could make it, with pairs of syllables, English
// stems, BM25 and weights by field.
type bleveEngine struct {
	best  bool
	index bleve.Index
}

const bigramName = "bigram"

func (e *bleveEngine) build(c *corpus) error {
	m, err := e.mapping()
	if err != nil {
		return err
	}
	if e.index, err = bleve.NewMemOnly(m); err != nil {
		return err
	}
	batch := e.index.NewBatch()
	for i, d := range c.docs {
		if err := batch.Index(d.ID, columnsOf(d)); err != nil {
			return err
		}
		if i%500 == 499 || i == len(c.docs)-1 {
			if err := e.index.Batch(batch); err != nil {
				return err
			}
			batch = e.index.NewBatch()
		}
	}
	return nil
}

func (e *bleveEngine) mapping() (*mapping.IndexMappingImpl, error) {
	m := bleve.NewIndexMapping()
	m.StoreDynamic = false
	m.DocValuesDynamic = false
	if !e.best {
		m.DefaultAnalyzer = "standard"
		return m, nil
	}
	m.ScoringModel = "bm25"
	err := m.AddCustomTokenizer(bigramName, map[string]any{"type": bigramName})
	if err != nil {
		return nil, err
	}
	err = m.AddCustomAnalyzer(bigramName, map[string]any{
		"type": custom.Name, "tokenizer": bigramName,
		"token_filters": []string{lowercase.Name, en.StopName, en.SnowballStemmerName},
	})
	m.DefaultAnalyzer = bigramName
	return m, err
}

func (e *bleveEngine) search(text string, limit int) ([]string, error) {
	var q query.Query = bleve.NewMatchQuery(text)
	if e.best {
		var parts []query.Query
		for name, weight := range weights {
			mq := bleve.NewMatchQuery(text)
			mq.SetField(name)
			mq.SetBoost(weight)
			parts = append(parts, mq)
		}
		q = bleve.NewDisjunctionQuery(parts...)
	}
	r, err := e.index.Search(bleve.NewSearchRequestOptions(q, limit, 0, false))
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, h := range r.Hits {
		ids = append(ids, h.ID)
	}
	return ids, nil
}

func (e *bleveEngine) close() error { return e.index.Close() }

// bigramTokenizer makes words of letters and digits, and pairs of syllables.
type bigramTokenizer struct{}

func (bigramTokenizer) Tokenize(input []byte) analysis.TokenStream {
	var stream analysis.TokenStream
	for i, t := range bigrams(string(input)) {
		stream = append(stream, &analysis.Token{
			Term: []byte(t), Position: i + 1, Type: analysis.AlphaNumeric,
		})
	}
	return stream
}

// registerBigrams makes the tokenizer known to bleve, which has a registry of
// the whole process.
func registerBigrams() error {
	return registry.RegisterTokenizer(bigramName,
		func(map[string]any, *registry.Cache) (analysis.Tokenizer, error) {
			return bigramTokenizer{}, nil
		})
}

// bigrams cuts text into words, and runs of Hangul into pairs of syllables.
func bigrams(text string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '_'
	}) {
		var run []rune
		flush := func() {
			if len(run) == 1 {
				out = append(out, string(run))
			}
			for i := 1; i < len(run); i++ {
				out = append(out, string(run[i-1:i+1]))
			}
			run = run[:0]
		}
		start := -1
		for i, r := range w {
			if unicode.Is(unicode.Hangul, r) {
				if start >= 0 {
					out = append(out, w[start:i])
					start = -1
				}
				run = append(run, r)
				continue
			}
			if start < 0 {
				flush()
				start = i
			}
		}
		flush()
		if start >= 0 {
			out = append(out, w[start:])
		}
	}
	return out
}
