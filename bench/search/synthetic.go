package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/openprecedent/precedent/internal/library/search"
)

// A generator makes documents that have the size and the statistics of cases:
// words by Zipf's law out of a large vocabulary, particles and endings, codes and
// identifiers, half of them English and half Korean. The same seed makes the
// same documents.
type generator struct {
	rng      *rand.Rand
	english  []string
	korean   []string
	zipf     *zipf
	codes    []string
	facets   map[string][]string
	lists    []string
	particle []string
	verbs    []string
}

const (
	generatedWords = 30000
	generatedBytes = 3000 // per document
)

// newGenerator takes the most frequent words from real texts, so that queries
// about incidents meet a background that uses the same words.
func newGenerator(seed uint64, c *corpus) *generator {
	g := &generator{
		rng:      rand.New(rand.NewPCG(seed, 1)),
		particle: strings.Fields("은 는 이 가 을 를 의 에 로 와 도 에서 으로 까지 부터"),
		verbs: strings.Fields("늘었다 줄었다 멈췄다 끊겼다 느려졌다 실패했다 되돌렸다 올랐다 막혔다 쌓였다 " +
			"재시작했다 복구했다 바꿨다 확인했다 높아졌다 이어졌다 발생했다 기다렸다"),
		codes: strings.Fields("429 500 502 503 504 5xx OOMKilled CrashLoopBackOff max_connections us-east-1 " +
			"eu-west-1 EC2 x509 ETIMEDOUT ECONNRESET p99 i/o deadline_exceeded NotReady"),
		facets: map[string][]string{},
	}
	english, korean := c.frequentWords()
	g.english, g.korean = english, korean
	for len(g.english) < generatedWords {
		g.english = append(g.english, g.pseudoEnglish())
	}
	for len(g.korean) < generatedWords {
		g.korean = append(g.korean, g.pseudoKorean())
	}
	g.zipf = newZipf(generatedWords, 1.05)
	for _, t := range c.terms {
		if len(g.facets[t.List]) == 0 {
			g.lists = append(g.lists, t.List)
		}
		g.facets[t.List] = append(g.facets[t.List], t.ID)
	}
	for i := range 400 {
		g.facets["org"] = append(g.facets["org"], fmt.Sprintf("org-%03d", i))
	}
	g.lists = append(g.lists, "org")
	return g
}

func (g *generator) pseudoEnglish() string {
	onset := strings.Fields("b br c ch cl d dr f fl g gr h j k l m n p pl pr qu r s sh st str t th tr v w")
	rhyme := strings.Fields("a an ar ate e ect el en er et i ic il in ion ish it o ol on or os ot u um un ur ust")
	var b strings.Builder
	for range 2 + g.rng.IntN(2) {
		b.WriteString(onset[g.rng.IntN(len(onset))])
		b.WriteString(rhyme[g.rng.IntN(len(rhyme))])
	}
	return b.String()
}

func (g *generator) pseudoKorean() string {
	var b strings.Builder
	for range 2 + g.rng.IntN(3) {
		lead, vowel := g.rng.IntN(19), []int{0, 4, 8, 13, 18, 20, 1, 5}[g.rng.IntN(8)]
		tail := 0
		if g.rng.IntN(3) == 0 {
			tail = []int{1, 4, 8, 16, 17, 21}[g.rng.IntN(6)]
		}
		b.WriteRune(rune(0xAC00 + (lead*21+vowel)*28 + tail))
	}
	return b.String()
}

// document makes document number i.
func (g *generator) document(i int) search.Document {
	lang := "en"
	sentence := g.englishSentence
	if i%2 == 1 {
		lang, sentence = "ko", g.koreanSentence
	}
	d := search.Document{
		ID:   fmt.Sprintf("SY-%05d", i),
		Year: 2010 + g.rng.IntN(17), Facets: map[string][]string{},
		Duration: time.Duration(g.rng.IntN(2000)) * time.Minute, HasDuration: true,
	}
	for _, list := range g.lists {
		ids := g.facets[list]
		for range 1 + g.rng.IntN(3) {
			d.Facets[list] = append(d.Facets[list], ids[g.rng.IntN(len(ids))])
		}
	}
	body := func(size int) string {
		var b strings.Builder
		for b.Len() < size {
			b.WriteString(sentence())
		}
		return strings.TrimSpace(b.String())
	}
	d.Fields = []search.Field{
		{Name: "title", Lang: lang, Text: body(60)},
		{Name: "summary", Lang: lang, Text: body(440)},
		{Name: "narrative", Lang: lang, Text: body(generatedBytes - 500)},
	}
	return d
}

func (g *generator) englishSentence() string {
	glue := strings.Fields("the a of to in and was were with by for on at from that its")
	var b strings.Builder
	for i := range 8 + g.rng.IntN(14) {
		w := g.english[g.zipf.next(g.rng)]
		switch {
		case g.rng.IntN(40) == 0:
			w = g.codes[g.rng.IntN(len(g.codes))]
		case g.rng.IntN(3) == 0:
			w = glue[g.rng.IntN(len(glue))]
		}
		if i == 0 {
			w = strings.ToUpper(w[:1]) + w[1:]
		} else {
			b.WriteByte(' ')
		}
		b.WriteString(w)
	}
	b.WriteString(". ")
	return b.String()
}

func (g *generator) koreanSentence() string {
	var b strings.Builder
	for range 5 + g.rng.IntN(8) {
		w := g.korean[g.zipf.next(g.rng)]
		if g.rng.IntN(40) == 0 {
			w = g.codes[g.rng.IntN(len(g.codes))]
		}
		b.WriteString(w)
		if g.rng.IntN(2) == 0 {
			b.WriteString(g.particle[g.rng.IntN(len(g.particle))])
		}
		b.WriteByte(' ')
	}
	b.WriteString(g.verbs[g.rng.IntN(len(g.verbs))] + ". ")
	return b.String()
}

// query makes a query of two to six words of the vocabulary.
func (g *generator) query() string {
	words := g.english
	if g.rng.IntN(2) == 0 {
		words = g.korean
	}
	var parts []string
	for range 2 + g.rng.IntN(5) {
		parts = append(parts, words[g.zipf.next(g.rng)])
	}
	return strings.Join(parts, " ")
}

// A zipf draws ranks with a probability that falls with a power of the rank.
// Unlike rand.Zipf it is slow to set up and fast to draw, and the exponent
// may be near one.
type zipf struct{ upTo []float64 }

func newZipf(n int, exponent float64) *zipf {
	z := &zipf{upTo: make([]float64, n)}
	sum := 0.0
	for i := range n {
		sum += 1 / math.Pow(float64(i)+2, exponent)
		z.upTo[i] = sum
	}
	return z
}

func (z *zipf) next(rng *rand.Rand) int {
	at := rng.Float64() * z.upTo[len(z.upTo)-1]
	low, high := 0, len(z.upTo)-1
	for low < high {
		mid := (low + high) / 2
		if z.upTo[mid] < at {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}
