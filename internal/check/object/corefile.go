package object

import (
	"strings"
)

// DNSServer is a block of a Corefile: the zones that a server of CoreDNS answers
// for, and the plugins through which it does so.
type DNSServer struct {
	Zones   []string // such as .:53
	Plugins []*DNSPlugin
}

// DNSPlugin is a plugin of a server of CoreDNS.
type DNSPlugin struct {
	Name    string
	Args    []string // behind its name
	Options []string // lines of its block, with single spaces
}

// Corefile reads the configuration of CoreDNS, with the snippets that it imports.
// Of a text that is none, it gives what looks like one.
func Corefile(text string) []*DNSServer {
	r := corefile{snippets: map[string][]*DNSPlugin{}}
	for line := range strings.Lines(text) {
		r.line(fieldsOf(line))
	}
	return r.servers
}

// fieldsOf returns the words of a line in front of a comment.
func fieldsOf(line string) []string {
	words := strings.Fields(line)
	for i, w := range words {
		if strings.HasPrefix(w, "#") {
			return words[:i]
		}
	}
	return words
}

type corefile struct {
	servers  []*DNSServer
	snippets map[string][]*DNSPlugin

	depth   int
	heads   []string // of the block that is read
	plugins []*DNSPlugin
}

// line reads the words of a line. A brace opens a block at the end of a line, and
// closes it on a line of its own.
func (r *corefile) line(words []string) {
	if len(words) == 0 {
		return
	}
	if words[0] == "}" {
		if r.depth--; r.depth == 0 {
			r.end()
		}
		r.depth = max(r.depth, 0)
		return
	}
	last := len(words) - 1
	opens := words[last] == "{"
	if opens {
		words = words[:last]
	}
	switch {
	case r.depth == 0:
		r.heads = append(r.heads, words...)
	case r.depth == 1 && len(words) == 2 && words[0] == "import" && r.snippets[words[1]] != nil:
		r.plugins = append(r.plugins, r.snippets[words[1]]...)
	case r.depth == 1 && len(words) > 0:
		r.plugins = append(r.plugins, &DNSPlugin{Name: words[0], Args: words[1:]})
	case len(r.plugins) > 0:
		p := r.plugins[len(r.plugins)-1]
		p.Options = append(p.Options, strings.Join(words, " "))
	}
	if opens {
		r.depth++
	}
}

// end keeps a block that is read whole.
func (r *corefile) end() {
	if len(r.heads) == 1 && strings.HasPrefix(r.heads[0], "(") {
		r.snippets[strings.Trim(r.heads[0], "()")] = r.plugins
	} else {
		for i, z := range r.heads {
			r.heads[i] = strings.TrimSuffix(z, ",")
		}
		r.servers = append(r.servers, &DNSServer{r.heads, r.plugins})
	}
	r.heads, r.plugins = nil, nil
}
