package doc_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openprecedent/precedent/doc"
)

// TestLanguagesAreInStep holds the two languages of each document to each
// other: section by section the same headings, paragraphs, list entries and
// rows, each with the same code and the same number of links.
func TestLanguagesAreInStep(t *testing.T) {
	for _, tt := range []struct{ name, en, ko string }{
		{"case-format", doc.CaseFormat, doc.CaseFormatKo},
		{"system-format", doc.SystemFormat, doc.SystemFormatKo},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(shape(tt.en), shape(tt.ko)); diff != "" {
				t.Errorf("the languages of doc/%s differ (-English +Korean):\n%s", tt.name, diff)
			}
		})
	}
}

func TestShape(t *testing.T) {
	const page = "# T\n\nRun `a`, then `b` and `a`: see [here](x.md).\nMore.\n\n| f | g |\n|---|---|\n| `k`* | `v` |\n\n- one\n  `c`\n- two\n\n```sh\nrun # why\n```\n"
	want := []string{"heading 1", "text: `a` `b` links 1", "row 2:", "row 2:", "row 2: `k`* | `v`", "item: `c`", "item:", "```sh\nrun\n```"}
	if diff := cmp.Diff(want, shape(page)); diff != "" {
		t.Errorf("the shape of a page (-want +got):\n%s", diff)
	}
}

var (
	codeSpan = regexp.MustCompile("`[^`]+`\\*?")
	markLink = regexp.MustCompile(`\]\([^)]+\)`)
	itemMark = regexp.MustCompile(`^(- |[0-9]+\. )`)
	comment  = regexp.MustCompile(`\s*# .*`)
)

// shape lists the blocks of a page by what does not depend on its language.
func shape(page string) []string {
	var all, text []string
	kind := "text"
	flush := func() {
		if len(text) > 0 {
			all = append(all, kind+":"+marks(strings.Join(text, "\n")))
		}
		kind, text = "text", nil
	}
	lines := strings.Split(page, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "```"):
			flush()
			end := i + 1 + slices.Index(lines[i+1:], "```")
			block := strings.Join(lines[i:end+1], "\n")
			all, i = append(all, comment.ReplaceAllString(block, "")), end
		case line == "":
			flush()
		case strings.HasPrefix(line, "#"):
			flush()
			all = append(all, fmt.Sprint("heading ", strings.Index(line, " ")))
		case strings.HasPrefix(line, "|"):
			flush()
			all = append(all, row(line))
		case itemMark.MatchString(line):
			flush()
			kind, text = "item", []string{line}
		default:
			text = append(text, line)
		}
	}
	flush()
	return all
}

// row is the shape of a row of a table, whose first cell names a field in the
// same words, and whose other cells may name others in another order.
func row(line string) string {
	first, rest, _ := strings.Cut(strings.Trim(line, "|"), "|")
	names := strings.Join(codeSpan.FindAllString(first, -1), " ")
	if more := marks(rest); names != "" || more != "" {
		names = " " + names + " |" + more
	}
	return fmt.Sprint("row ", strings.Count(line, "|")-1, ":", names)
}

// marks are the pieces of code of a text, in no order, and its links.
func marks(text string) string {
	found := codeSpan.FindAllString(text, -1)
	for i := range found {
		found[i] = strings.Join(strings.Fields(strings.TrimSuffix(found[i], "*")), " ")
	}
	slices.Sort(found)
	var b strings.Builder
	for _, code := range slices.Compact(found) {
		b.WriteString(" " + code)
	}
	if n := len(markLink.FindAllString(text, -1)); n > 0 {
		fmt.Fprint(&b, " links ", n)
	}
	return b.String()
}
