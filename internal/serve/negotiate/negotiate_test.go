package negotiate

import (
	"net/http"
	"strings"
	"testing"

	"github.com/openprecedent/precedent/internal/bilingual"
)

// header returns the header of a request with the given lines of one field.
func header(name string, lines ...string) http.Header {
	return http.Header{name: lines}
}

func TestMediaType(t *testing.T) {
	const none = "none"
	offered := []string{"text/html", "application/json", "text/markdown"}
	for _, tt := range []struct {
		name string
		want string
		in   []string
	}{
		{"no header", "text/html", nil},
		{"empty", "text/html", []string{" , ,"}},
		{"anything", "text/html", []string{"*/*"}},
		{"browser", "text/html", []string{"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}},
		{"the first named of equals", "text/markdown", []string{"text/markdown, text/html, */*"}},
		{"named before any", "application/json", []string{"*/*, application/json"}},
		{"the group before any", "text/html", []string{"*/*, text/*"}},
		{"quality before order", "application/json", []string{"text/html;q=0.5, application/json;q=0.6"}},
		{"the closest range decides", "application/json", []string{"text/*;q=0.9, text/html;q=0.1, text/markdown;q=0, */*;q=0.5"}},
		{"refused", "application/json", []string{"text/html;q=0, */*;q=0.1, application/json;q=0.2"}},
		{"all refused", none, []string{"*/*;q=0"}},
		{"another", none, []string{"image/png"}},
		{"group of another", none, []string{"image/*"}},
		{"the beginning of a name", none, []string{"tex/*, text/htm"}},
		{"not a number", "text/html", []string{"application/json;q=nan, text/html;q=0.1"}},
		{"over one", "text/html", []string{"application/json;q=1.5, text/html;q=0.1"}},
		{"capitals", "application/json", []string{"Application/JSON;Q=1"}},
		{"other parameters", "application/json", []string{"application/json;version=1;q=0.9, text/html;q=0.8"}},
		{"separators in quotes", "text/markdown", []string{`application/json;profile="a\",text/html;q=1";q=0.2, text/markdown;q=0.3`}},
		{"quotes that do not end", none, []string{`image/png;a=", text/html`}},
		{"two lines", "application/json", []string{"text/html;q=0.5", "application/json"}},
		{"more than are looked at", none, []string{strings.Repeat("a/b,", maxEntries) + "text/html"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := none
			if i := MediaType(header("Accept", tt.in...), offered...); i >= 0 {
				got = offered[i]
			}
			if got != tt.want {
				t.Errorf("Accept %q: %s, want %s", tt.in, got, tt.want)
			}
		})
	}
}

func TestLanguage(t *testing.T) {
	for accept, want := range map[string]bilingual.Lang{
		"":                        bilingual.English,
		"*":                       bilingual.English,
		"fr, de;q=0.5":            bilingual.English,
		"ko":                      bilingual.Korean,
		"ko-KR,ko;q=0.9,en;q=0.8": bilingual.Korean,
		"en, ko":                  bilingual.English,
		"ko, en":                  bilingual.Korean,
		"EN;q=0.3, KO;q=0.4":      bilingual.Korean,
		"fr, ko;q=0.1":            bilingual.Korean,
		"ko;q=0.5, *":             bilingual.English,
		"en;q=0, *":               bilingual.Korean,
		"ko;q=0":                  bilingual.English,
		"en-GB;q=0.2, en, ko":     bilingual.English,
		"ko;q=2, en;q=0.1":        bilingual.English,
		"korean, en;q=0.1":        bilingual.English,
	} {
		if got := Language(header("Accept-Language", accept)); got != want {
			t.Errorf("Accept-Language %q: %s, want %s", accept, got, want)
		}
	}
}

func TestEncoding(t *testing.T) {
	for accept, want := range map[string]bool{
		"":                    false,
		"identity":            false,
		"br":                  false,
		"gzip":                true,
		"x-gzip":              true,
		"br;q=1, GZIP; q=0.5": true,
		"gzip;q=0":            false,
		"gzip;q=0, *":         false,
		"*":                   true,
		"*;q=0":               false,
		"gzip;q=x":            false,
		"notgzip":             false,
	} {
		if got := Encoding(header("Accept-Encoding", accept), "gzip"); got != want {
			t.Errorf("Accept-Encoding %q: %t, want %t", accept, got, want)
		}
	}
}

func TestHas(t *testing.T) {
	const tag = `"a"`
	for match, want := range map[string]bool{
		"": false, `"a"`: true, `W/"a"`: true, `"b", "a"`: true, "*": true, `"b"`: false, "a": false,
		strings.Repeat(`"b",`, maxTags/4) + `"a"`: false,
	} {
		if got := Has(header("If-None-Match", match), tag); got != want {
			t.Errorf("If-None-Match %.40s: %t, want %t", match, got, want)
		}
	}
	if !Has(header("If-None-Match", `"b"`, `"a"`), tag) {
		t.Error("the second line of If-None-Match is not looked at")
	}
}

// FuzzMediaType holds that what is chosen is welcome, and that a client that
// refuses everything gets nothing.
func FuzzMediaType(f *testing.F) {
	for _, seed := range []string{"", "*/*", "text/html;q=0.5,application/json", "a/b;;q=;q", ",,,", "text/*;q=1e9", `a;b="`, "text/*;q=NaN"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, accept string) {
		offered := []string{"text/html", "application/json"}
		i := MediaType(header("Accept", accept), offered...)
		if i < -1 || i >= len(offered) {
			t.Fatalf("MediaType(%q) = %d", accept, i)
		}
		if alone := i >= 0 && MediaType(header("Accept", accept), offered[i]) < 0; alone {
			t.Errorf("Accept %q: %s is chosen, but not where it is all there is", accept, offered[i])
		}
		if l := Language(header("Accept-Language", accept)); l != bilingual.English && l != bilingual.Korean {
			t.Errorf("Language(%q) = %q", accept, l)
		}
		Encoding(header("Accept-Encoding", accept), "gzip")
		Has(header("If-None-Match", accept), `"a"`)
	})
}
