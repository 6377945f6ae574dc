package rule

import "github.com/openprecedent/precedent/internal/check/object"

func systemPartFields() []field {
	type p = *object.SystemPart
	return []field{
		of("name", text, "", func(v p) any { return v.Name }),
		of("system", text, "name of the system that it is a part of", func(v p) any { return v.Namespace }),
		of("kind", text, "such as server", func(v p) any { return v.Fields.Text("kind") }),
		of("connections", number, "connections that a pool may have open at once; 0 of what is no pool", func(v p) any { return v.Connections() }),
		of("sessions", number, "users of populations who each hold a connection of the pool for as long as their session lasts; 0 where sessions share them", func(v p) any {
			return v.Sessions()
		}),
		of("pinned", texts, "the sources that these users come from", func(v p) any {
			names := []string{}
			for _, one := range v.Pinned() {
				names = append(names, one.Name)
			}
			return names
		}),
		of("calls", listOf("SystemCall"), "the calls that it makes", func(v p) any { return list("SystemCall", v.Calls) }),
	}
}

func systemCallFields() []field {
	type c = *object.SystemCall
	return []field{
		of("path", text, "where it stands in the part, such as calls[0]", func(v c) any { return v.Path }),
		of("to", text, "name of the part that is called", func(v c) any { return v.Fields.Text("to") }),
		of("tries", number, "how often a request that fails is sent, the first time included; with a budget 1 and its share, and 1 with a breaker", func(v c) any { return v.Tries() }),
		of("load", number, "how often a request at the start may be sent over it: the tries of all calls on the way, multiplied", func(v c) any { return v.Load() }),
		of("way", texts, "parts on that way, from the first to the one that is called", func(v c) any { return v.Way() }),
		of("timeout", number, "seconds that the caller waits for an answer; 0 for ever", func(v c) any { return v.Timeout() }),
		of("patience", number, "seconds that the caller waits until the call is taken up, by a connection for example; 0 for ever", func(v c) any { return v.Patience() }),
		of("below", number, "seconds for which what is called may wait for its own calls, over all their attempts; 0 where it makes none with a timeout, or stops with its caller", func(v c) any { return v.Below() }),
		of("borrow", number, "seconds for which the pool that is called lets it wait for a connection; 0 where it is no pool, or sets no limit", func(v c) any { return v.Borrow() }),
	}
}
