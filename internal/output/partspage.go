package output

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/parts"
)

// partsKoreanText holds what the kinds of parts say about themselves in Korean:
// the English line, the Korean one, and an empty one. It stands apart from the
// code, in which the English is, since nobody should need Korean to write a part.
//
//go:embed partsko.txt
var partsKoreanText string

// partsKorean are the lines of partsKoreanText by the English.
var partsKorean = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for pair := range strings.SplitSeq(strings.TrimSpace(partsKoreanText), "\n\n") {
		en, ko, _ := strings.Cut(pair, "\n")
		all[en] = ko
	}
	return all
})

// PartsText returns what a kind of part says about itself, or what stands in one
// of its settings, in language l. What has no Korean stays English.
func PartsText(en string, l bilingual.Lang) string {
	if ko, ok := partsKorean()[en]; ok && l == bilingual.Korean {
		return ko
	}
	return en
}

// PartsPage returns the reference of kinds of parts. The settings of calls are the
// same wherever a part makes one, and stand once, at the end.
func PartsPage(kinds []parts.KindDoc, l bilingual.Lang) Page {
	b := &builder{}
	b.heading(1, in(l, "Parts of a system", "시스템의 부품"))
	b.prose(in(l, "The kinds of parts that a system file can hold under `parts`, with their settings. "+
		"A setting that is left out takes its default; one without a default must stand.",
		"시스템 파일의 `parts`에 적을 수 있는 부품의 종류와 설정이다. 적지 않은 설정은 기본값을 쓰며, 필수라고 적힌 것은 반드시 적는다."))
	b.prose(in(l, "Every part may also have `about`, and one that is called or makes requests `copies`: how many "+
		"of it there are (1), each by itself. A `balancer` spreads calls over the copies of what it calls.",
		"모든 부품에는 `about`도 적을 수 있고, 호출을 받거나 요청을 내는 부품에는 `copies`로 몇 개를 둘지 적을 수 있다(1). 복제본은 저마다 따로 "+
			"움직인다. `balancer`는 호출을 대상의 복제본에 나눈다."))
	list := settingsList{lang: l}
	for _, k := range kinds {
		b.heading(2, k.Name)
		b.prose(PartsText(k.About, l))
		b.list(list.items(k.Fields, ""))
	}
	if list.call != nil {
		b.heading(2, list.callHeading())
		b.prose(in(l, "What a setting that is a call holds: whom the part calls, and the policy of the client.",
			"호출인 설정에 적는 것. 부품이 누구를 호출하는지와 클라이언트의 정책이다."))
		calls := settingsList{lang: l, within: true}
		b.list(calls.items(list.call, ""))
	}
	return b.page
}

// KindsPage returns the kinds of parts without their settings.
func KindsPage(kinds []parts.KindDoc, l bilingual.Lang) Page {
	b := &builder{}
	b.heading(1, in(l, "Parts of a system", "시스템의 부품"))
	var items []Item
	for _, k := range kinds {
		items = append(items, Item{Lead: k.Name, Text: PartsText(k.About, l)})
	}
	b.list(items)
	b.note(in(l, "With all settings:", "설정까지 모두 보려면:"))
	b.code("precedent parts server")
	return b.page
}

// isCall reports whether a setting is a call with the policy of its client.
func isCall(f parts.FieldDoc) bool {
	return len(f.Fields) > 2 && f.Fields[0].Name == "to" && f.Fields[1].Name == "timeout"
}

// settingsList lists settings in a language. It keeps those of a call, which stand
// apart, unless it is within one.
type settingsList struct {
	lang   bilingual.Lang
	within bool
	call   []parts.FieldDoc
}

// callHeading is the heading over the settings of a call, which many kinds have.
func (s *settingsList) callHeading() string { return in(s.lang, "Calls", "호출") }

// items lists settings; those of a mapping follow it with their path.
func (s *settingsList) items(fields []parts.FieldDoc, at string) []Item {
	l := s.lang
	var items []Item
	for _, f := range fields {
		path := at + f.Name
		value := PartsText(f.Value, l)
		here := !s.within && isCall(f)
		if here {
			value, s.call = fmt.Sprintf(in(l, "call, see %s", "호출, “%s” 참고"), s.callHeading()), f.Fields
		}
		if f.List {
			value = fmt.Sprintf(in(l, "list, of each: %s", "목록, 각각 %s"), value)
		}
		text := PartsText(f.About, l) + " (" + value
		switch {
		case f.Required:
			text += in(l, "; must stand", "; 필수")
		case f.Default != "" && f.Default != "0" && f.Default != "false":
			text += in(l, "; default ", "; 기본값 ") + f.Default
		}
		items = append(items, Item{Lead: "`" + path + "`", Text: strings.TrimSuffix(text, ".") + ")"})
		if f.List {
			path += "[]"
		}
		if !here {
			items = append(items, s.items(f.Fields, path+".")...)
		}
	}
	return items
}
