package casefile

// Choices returns the values that a field may have where they are part of the
// format itself and no vocabulary, by the path of the field without indices, such
// as causes[].role. It returns nil where the field takes others.
func Choices(field string) []string {
	switch field {
	case "state":
		return []string{"draft", "published", "withdrawn", "merged"}
	case "date_kind":
		return []string{"occurred", "published"}
	case "causes[].role":
		return []string{"root", "contributing"}
	case "components[].role":
		return []string{"origin", "carrier", "victim"}
	case "review.status": // from least to most
		return []string{"unreviewed", "partly-checked", "checked-against-source", "reviewed-by-organisation"}
	case "severity.basis", "times.start.basis", "times.detected.basis", "times.identified.basis",
		"times.mitigated.basis", "times.resolved.basis", "times.published.basis":
		return []string{"stated", "inferred"}
	}
	return nil
}

// DraftFields are the fields that even a draft must have.
func DraftFields() []string { return []string{"schema", "id", "state", "title", "review"} }

// The forms of ids and of the lower-case names of organisations, as regular
// expressions.
const (
	IDForm   = `^[A-Z]{2,10}-\d{4,6}$`
	SlugForm = `^[a-z0-9]+(-[a-z0-9]+)*$`
)
