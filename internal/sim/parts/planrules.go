package parts

// LockRule says whether one applier writes at a time.
type LockRule string

// UnmarshalText reads whether one applier writes at a time.
func (r *LockRule) UnmarshalText(text []byte) error {
	return oneOf((*string)(r), string(text), r.Words()...)
}

// Words returns the words that may stand.
func (*LockRule) Words() []string { return []string{"none", "one"} }

// WriteRule says when an endpoint is written.
type WriteRule string

const (
	checkOnce      WriteRule = "check-once"
	checkEach      WriteRule = "check-each"
	compareAndSwap WriteRule = "compare-and-swap"
)

// UnmarshalText reads when an endpoint is written.
func (w *WriteRule) UnmarshalText(text []byte) error {
	return oneOf((*string)(w), string(text), w.Words()...)
}

// Words returns the words that may stand.
func (*WriteRule) Words() []string {
	return []string{string(checkOnce), string(checkEach), string(compareAndSwap)}
}

// CleanRule says which old plans are deleted.
type CleanRule string

const (
	cleanAny    CleanRule = "any"
	unapplied   CleanRule = "unapplied"
	neverActive CleanRule = "never-active"
)

// UnmarshalText reads which old plans are deleted.
func (c *CleanRule) UnmarshalText(text []byte) error {
	return oneOf((*string)(c), string(text), c.Words()...)
}

// Words returns the words that may stand.
func (*CleanRule) Words() []string {
	return []string{string(cleanAny), string(unapplied), string(neverActive)}
}

// EmptyRule says what becomes of an endpoint whose plan was deleted.
type EmptyRule string

// UnmarshalText reads what becomes of an empty endpoint.
func (e *EmptyRule) UnmarshalText(text []byte) error {
	return oneOf((*string)(e), string(text), e.Words()...)
}

// Words returns the words that may stand.
func (*EmptyRule) Words() []string { return []string{"stuck", "write"} }

// DeletedRule says what becomes of writing a plan that was deleted meanwhile.
type DeletedRule string

// UnmarshalText reads what becomes of writing a deleted plan.
func (d *DeletedRule) UnmarshalText(text []byte) error {
	return oneOf((*string)(d), string(text), d.Words()...)
}

// Words returns the words that may stand.
func (*DeletedRule) Words() []string { return []string{"write", "refuse"} }
