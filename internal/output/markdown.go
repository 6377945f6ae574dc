package output

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Markdown writes a page as Markdown.
func Markdown(w io.Writer, page Page) error {
	var b strings.Builder
	for i, block := range page.printable() {
		if i > 0 {
			b.WriteString("\n")
		}
		switch block.Kind {
		case Heading:
			fmt.Fprintf(&b, "%s %s\n", strings.Repeat("#", block.Level), block.Text)
		case Prose:
			b.WriteString(block.Text + "\n")
		case Note:
			b.WriteString("_" + block.Text + "_\n")
		case Facts:
			for _, f := range block.Facts {
				fmt.Fprintf(&b, "- **%s:** %s\n", f[0], f[1])
			}
		case Table:
			for k, row := range block.Rows {
				b.WriteString("| " + strings.Join(cells(row), " | ") + " |\n")
				if k == 0 {
					b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
				}
			}
		case Code:
			b.WriteString("```\n" + block.Text + "\n```\n")
		case List:
			for _, item := range block.Items {
				if item.Foreign {
					item = harmless(item)
				}
				b.WriteString("- " + markdownItem(item) + "\n")
				for _, sub := range item.Sub {
					b.WriteString("  - " + hang(sub, "    ") + "\n")
				}
			}
		}
	}
	_, err := io.WriteString(w, plain(b.String()))
	return err
}

// cells escapes what would end a cell of a table.
func cells(row []string) []string {
	out := make([]string, len(row))
	for i, cell := range row {
		out[i] = strings.ReplaceAll(cell, "|", `\|`)
	}
	return out
}

func markdownItem(item Item) string {
	switch {
	case item.Lead == "":
		return hang(item.Text, "  ")
	case item.Text == "":
		return "**" + item.Lead + "**"
	}
	return "**" + item.Lead + ":** " + hang(item.Text, "  ")
}

// harmless takes the meaning from what would be a tag, a link or an image in the text of
// somebody else: an answer may become a comment, and a report a page.
func harmless(item Item) Item {
	marks := strings.NewReplacer("<", `\<`, "](", `]\(`, "![", `!\[`)
	item.Lead, item.Text = marks.Replace(item.Lead), marks.Replace(item.Text)
	item.Sub = slices.Clone(item.Sub)
	for i, sub := range item.Sub {
		item.Sub[i] = marks.Replace(sub)
	}
	return item
}

// plain writes ordinary spaces only, which readers search for.
func plain(s string) string { return strings.ReplaceAll(s, nbsp, " ") }

// hang indents all lines but the first, so that they stay in their list item.
func hang(text, indent string) string {
	return strings.ReplaceAll(text, "\n", "\n"+indent)
}
