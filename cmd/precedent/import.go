package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/openprecedent/precedent/corpus"
	"github.com/openprecedent/precedent/internal/app"
	"github.com/openprecedent/precedent/internal/library/casefile"
	"github.com/openprecedent/precedent/internal/library/draft"
	"github.com/openprecedent/precedent/internal/library/vocab"
)

// importing are the flags of the command import.
type importing struct {
	format, prefix string
	print          bool
	draft.Options
}

func (p *process) importCommand() *cobra.Command {
	var f importing
	cmd := &cobra.Command{
		Use:   "import FILE [DIR]",
		Short: "Make a draft case of a post-mortem in Markdown or a saved web page",
		Long: `Import reads a post-mortem, in English or Korean, and writes a draft case with the
next free id to DIR/cases (DIR is the current folder where none is given). Title,
dates and clock times with their zone, durations, the timeline, the sections under
their usual headings, the source and its links go to their fields. Steps of the
timeline and sentences of the story that tell what was done, "rolled back" or
"재시작했으나", are copied to the actions, without an effect. What has no place
stays in the draft as a comment, as do lines that name the authors: nothing is
dropped, and nothing is invented. Codes are for you to choose; terms whose words
occur in the text are suggested. Write the texts in your own words before you publish the case. Until
then precedent show shows it, and a server does not.

FILE is - for standard input. Nothing is fetched: save a web page first.`,
		Example: `  precedent import postmortem.md ./incidents
  precedent import --url https://example.com/outage saved.html ./incidents
  precedent import --print --id PR-0042 postmortem.md | less`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := here
			if len(args) > 1 {
				dir = args[1]
			}
			return p.importFile(args[0], dir, f)
		},
	}
	cmd.Flags().StringVar(&f.format, "format", "", "markdown or html (default from the file's name and beginning)")
	cmd.Flags().StringVar(&f.prefix, "prefix", "", "capital letters that begin the id")
	cmd.Flags().StringVar(&f.ID, "id", "", "id of the case (default the next free one)")
	cmd.Flags().StringVar(&f.URL, "url", "", "where the report was published, if it does not say so itself")
	cmd.Flags().StringVar(&f.OrgName, "org", "", "who had the incident")
	cmd.Flags().StringVar(&f.OrgSlug, "org-slug", "", "lower-case name of the organisation (default from its name)")
	cmd.Flags().BoolVar(&f.print, "print", false, "write the draft to standard output instead of a file")
	return cmd
}

func (p *process) importFile(file, dir string, f importing) error {
	if err := f.identify(file, dir); err != nil {
		return err
	}
	src, err := p.readFile(file, draft.MaxBytes)
	if err != nil {
		return err
	}
	format := draft.Format(f.format)
	if format == "" {
		format = draft.Detect(file, src)
	}
	f.Terms = suggestions(dir)
	d, err := draft.From(format, src, f.Options)
	if err != nil {
		return app.Invalidf("file", "see `precedent import --help`", "importing %q: %w", file, err).
			Korean("쓰는 법: `precedent import --help`", "%q 파일을 가져올 수 없다: %w")
	}
	if f.print {
		if _, err := p.out.Write(d.YAML()); err != nil {
			return err
		}
		return p.tellImport(d, "")
	}
	if _, err := folder(dir); err != nil {
		return giveFolder("import "+file, dir, err)
	}
	name, err := createCase(dir, f.ID, d.YAML())
	if err != nil {
		return err
	}
	if err := p.wrote(name); err != nil {
		return err
	}
	return p.tellImport(d, dir)
}

// identify finds the id of the draft, a made-up one where it is only printed and
// there is no library, and refuses an id or the name of an organisation that
// lint would refuse.
func (f *importing) identify(file, dir string) error {
	if f.OrgSlug != "" && !casefile.ValidSlug(f.OrgSlug) {
		return app.Invalidf("org-slug", "write lower-case letters, digits and hyphens, as in example-shop",
			"%q is no name of an organisation for --org-slug", f.OrgSlug).
			Korean("example-shop처럼 소문자, 숫자, 붙임표로 쓴다", "--org-slug에 쓸 수 없는 조직 이름: %q")
	}
	if f.ID == "" && f.print && dir == here && !isLibrary(dir) {
		f.ID = cmp.Or(f.prefix, "DRAFT") + "-0001"
	}
	if f.ID == "" {
		var err error
		if f.ID, err = nextID(dir, f.prefix); err != nil {
			return giveFolder("import "+file, dir, err)
		}
	}
	if !casefile.ValidID(f.ID) {
		return app.Invalidf("id", "write capital letters, a hyphen and four to six digits, as in PR-0042", "%q is no case id", f.ID).
			Korean("PR-0042처럼 대문자, 붙임표, 네 자리에서 여섯 자리 숫자로 쓴다", "사례 번호가 아니다: %q")
	}
	return nil
}

// tellImport tells on standard error what became of the report.
func (p *process) tellImport(d *draft.Draft, dir string) error {
	placed, kept := 0, []string{}
	for _, s := range d.Sections {
		if s.Field == "" {
			kept = append(kept, s.Heading)
		} else {
			placed++
		}
	}
	fmt.Fprintf(p.err, "title %q; sections placed: %d; timeline entries: %d\n", brief(d.Title), placed, d.Observed)
	if d.Lang == "" {
		fmt.Fprintln(p.err, "the report is neither in English nor in Korean: its text stands in comments")
	} else if len(kept) > 0 {
		fmt.Fprintf(p.err, "kept as comments: %s\n", someOf(kept))
	}
	if dir != "" {
		fmt.Fprintf(p.err, "next: choose the codes, write the texts in your own words, then precedent lint %s\n", printable(dir))
	}
	return nil
}

// maxNamed bounds how many headings a message names.
const maxNamed = 12

// someOf names headings, as many as one reads.
func someOf(headings []string) string {
	var names []string
	for _, h := range headings[:min(len(headings), maxNamed)] {
		names = append(names, fmt.Sprintf("%q", brief(h)))
	}
	if more := len(headings) - maxNamed; more > 0 {
		return strings.Join(names, ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}

// brief cuts a heading to what fits in a message.
func brief(heading string) string {
	const most = 80
	runes := []rune(heading)
	if len(runes) <= most {
		return heading
	}
	return string(runes[:most]) + "…"
}

// suggestions returns the vocabulary with that of the folder over it. Where a
// list cannot be read, lint tells; the draft does without its suggestions.
func suggestions(dir string) []draft.Term {
	folders := []vocab.Source{{FS: corpus.FS}}
	if private, err := folder(dir); err == nil {
		folders = append(folders, vocab.Source{Name: private.Name, FS: private.FS})
	}
	set, _ := vocab.Load(folders...)
	var terms []draft.Term
	for _, list := range set.Lists() {
		for _, t := range list.Terms {
			terms = append(terms, draft.Term{List: list.ID, ID: t.ID, Phrases: t.Phrases()})
		}
	}
	return terms
}
