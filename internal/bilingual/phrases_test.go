package bilingual_test

import (
	"testing"

	"github.com/openprecedent/precedent/internal/bilingual"
)

func TestPhrases(t *testing.T) {
	all := bilingual.Phrases{
		{En: "forbidden", Ko: "금지됨"},
		{En: "the database % of % was not read", Ko: "%(%)를 읽지 않았다"},
		{En: "a page has more than % bytes", Ko: "한 페이지가 %바이트를 넘는다"},
		{En: "reading a page: %", Ko: "페이지를 읽지 못했다: %"},
	}
	for _, c := range []struct{ en, ko string }{
		{"forbidden", "금지됨"},
		{"forbidden: really", ""},
		{`the database "shop" of db:5432 was not read`, `"shop"(db:5432)를 읽지 않았다`},
		{"a page has more than 512 bytes", "한 페이지가 512바이트를 넘는다"},
		{"a page has more than 512 bits", ""},
		{"reading a page: forbidden", "페이지를 읽지 못했다: 금지됨"},
		{"reading a page: 100% wrong", "페이지를 읽지 못했다: 100% wrong"},
		{"reading a page:", ""},
		{"", ""},
	} {
		if got, ok := all.Korean(c.en); got != c.ko || ok != (c.ko != "") {
			t.Errorf("Korean(%q) = %q, %v, want %q", c.en, got, ok, c.ko)
		}
	}
}
