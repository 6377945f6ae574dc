// Package casefile holds the case record: one incident as one YAML file.
//
// The package decodes case files strictly, reports every problem of a file at
// once with its place, and writes the one canonical formatting. The format is
// described for its authors in doc/case-format.md; a test holds that document
// in step with the structs of this file.
//
// Unknown is absent: a field that a source does not support is left out, and
// no zero value stands for "not known".
package casefile

import "github.com/openprecedent/precedent/internal/bilingual"

// SchemaVersion is the version of the case format that this package reads and
// writes. It grows when a reader of the older format would misread a case.
const SchemaVersion = 1

// Case is one incident. All prose is a [Text]; every code is the id of a term
// in a vocabulary list, named in the field's description.
//
// A fact rests on the sources that its own `sources` name; where it names
// none, it rests on the first source of the case.
type Case struct {
	Schema          int      `yaml:"schema" json:"schema" jsonschema:"version of the case format, 1"`
	ID              string   `yaml:"id" json:"id" jsonschema:"own prefix, hyphen, four to six digits, for example PR-0042"`
	State           string   `yaml:"state" json:"state" jsonschema:"draft, published, withdrawn or merged"`
	SupersededBy    string   `yaml:"superseded_by,omitempty" json:"superseded_by,omitempty" jsonschema:"id of the case that a merged case became part of, or that is to be read in the place of a withdrawn one"`
	WithdrawnReason *Text    `yaml:"withdrawn_reason,omitempty" json:"withdrawn_reason,omitempty" jsonschema:"for a withdrawn case: why it is not shown any more"`
	Aliases         []Alias  `yaml:"aliases,omitempty" json:"aliases,omitempty" jsonschema:"ids of the same incident in other libraries"`
	Org             Org      `yaml:"org" json:"org" jsonschema:"organisation that had the incident"`
	Product         string   `yaml:"product,omitempty" json:"product,omitempty" jsonschema:"product or service that failed, by its own name"`
	AlsoAffected    []string `yaml:"also_affected,omitempty" json:"also_affected,omitempty" jsonschema:"other products or organisations that were affected"`

	Title     Text  `yaml:"title" json:"title" jsonschema:"one line: what failed, and how it showed"`
	Summary   Text  `yaml:"summary" json:"summary" jsonschema:"two to four sentences: trigger, mechanism, effect, end"`
	Narrative *Text `yaml:"narrative,omitempty" json:"narrative,omitempty" jsonschema:"what happened, in order, as Markdown"`

	Date      Time       `yaml:"date" json:"date" jsonschema:"sort key: the day the incident began, or its report was published"`
	DateKind  string     `yaml:"date_kind" json:"date_kind" jsonschema:"occurred or published"`
	Times     Times      `yaml:"times,omitempty" json:"times,omitzero" jsonschema:"the published points in time"`
	Durations Durations  `yaml:"durations,omitempty" json:"durations,omitzero" jsonschema:"durations that a source states; all others are computed from the times"`
	Observed  []Observed `yaml:"observed,omitempty" json:"observed,omitempty" jsonschema:"published observations of the course: what was seen at a time, with its value"`
	Severity  *Severity  `yaml:"severity,omitempty" json:"severity,omitempty" jsonschema:"severity as the organisation stated it; never inferred"`
	Impact    Impact     `yaml:"impact,omitempty" json:"impact,omitzero" jsonschema:"who and what was affected"`
	Tags      []string   `yaml:"tags,omitempty" json:"tags,omitempty" jsonschema:"broad topics and platforms; vocabulary list tag"`

	Symptoms   Symptoms    `yaml:"symptoms" json:"symptoms" jsonschema:"how the failure showed"`
	Trigger    *Trigger    `yaml:"trigger,omitempty" json:"trigger,omitempty" jsonschema:"what set it off"`
	Causes     []Cause     `yaml:"causes" json:"causes" jsonschema:"why the trigger could do it"`
	Mechanisms []Mechanism `yaml:"mechanisms,omitempty" json:"mechanisms,omitempty" jsonschema:"how the failure spread or kept itself going"`
	Components []Component `yaml:"components" json:"components" jsonschema:"the kinds of component involved"`
	Detection  *Detection  `yaml:"detection,omitempty" json:"detection,omitempty" jsonschema:"how it was noticed"`
	Actions    []Action    `yaml:"actions,omitempty" json:"actions,omitempty" jsonschema:"what was done during the incident, in order, with its effect"`
	Followups  []Followup  `yaml:"followups,omitempty" json:"followups,omitempty" jsonschema:"what was changed or planned afterwards"`
	Lessons    []Text      `yaml:"lessons,omitempty" json:"lessons,omitempty" jsonschema:"what others can take from it"`
	Conditions []Condition `yaml:"conditions,omitempty" json:"conditions,omitempty" jsonschema:"what a system would have to look like for this to happen to it"`

	Sources    []Source     `yaml:"sources" json:"sources" jsonschema:"the evidence"`
	References []Reference  `yaml:"references,omitempty" json:"references,omitempty" jsonschema:"further reading; not evidence"`
	Related    []Related    `yaml:"related,omitempty" json:"related,omitempty" jsonschema:"cases that an editor says belong beside this one"`
	NotRelated []NotRelated `yaml:"not_related,omitempty" json:"not_related,omitempty" jsonschema:"cases that must not be offered as similar"`
	Conflicts  []Conflict   `yaml:"conflicts,omitempty" json:"conflicts,omitempty" jsonschema:"contradictions between sources, kept and shown"`
	Review     Review       `yaml:"review" json:"review" jsonschema:"how far the record was reviewed"`
}

// Text is prose in both languages.
type Text = bilingual.Text

// Alias is the id of the same incident in another library.
type Alias struct {
	Scheme string `yaml:"scheme" json:"scheme" jsonschema:"the other library, for example void or pm.app"`
	Value  string `yaml:"value" json:"value" jsonschema:"the id there"`
}

// Org is the organisation that had the incident.
type Org struct {
	Slug string `yaml:"slug" json:"slug" jsonschema:"lower-case name with hyphens; the same organisation always has the same slug"`
	Name string `yaml:"name" json:"name" jsonschema:"the name as the organisation writes it"`
}

// Times are the published points of an incident. Durations are computed from
// them and never written down beside them.
type Times struct {
	Start      *Instant `yaml:"start,omitempty" json:"start,omitempty" jsonschema:"first effect on users or on the service"`
	Detected   *Instant `yaml:"detected,omitempty" json:"detected,omitempty" jsonschema:"the organisation knew that something was wrong"`
	Identified *Instant `yaml:"identified,omitempty" json:"identified,omitempty" jsonschema:"the cause was known well enough to act on"`
	Mitigated  *Instant `yaml:"mitigated,omitempty" json:"mitigated,omitempty" jsonschema:"most users were served again"`
	Resolved   *Instant `yaml:"resolved,omitempty" json:"resolved,omitempty" jsonschema:"the service was back to normal"`
	Published  *Instant `yaml:"published,omitempty" json:"published,omitempty" jsonschema:"the report was published"`
}

// Instant is a point in time with its basis.
type Instant struct {
	At      Time     `yaml:"at" json:"at" jsonschema:"ISO 8601 date, or date and time with offset; what is written is the precision"`
	Zone    string   `yaml:"zone,omitempty" json:"zone,omitempty" jsonschema:"zone as the source names it, for example PDT"`
	About   bool     `yaml:"about,omitempty" json:"about,omitempty" jsonschema:"true where the source itself says about"`
	Basis   string   `yaml:"basis,omitempty" json:"basis,omitempty" jsonschema:"stated (default) or inferred"`
	Sources []string `yaml:"sources,omitempty" json:"sources,omitempty" jsonschema:"ids of sources that state it; absent: the first source"`
}

// Durations are the lengths that a source states. Where the times allow the
// same length to be computed and it differs, a conflict must be recorded.
type Durations struct {
	Detect   *Length `yaml:"detect,omitempty" json:"detect,omitempty" jsonschema:"start to detected"`
	Identify *Length `yaml:"identify,omitempty" json:"identify,omitempty" jsonschema:"start to identified"`
	Mitigate *Length `yaml:"mitigate,omitempty" json:"mitigate,omitempty" jsonschema:"start to mitigated"`
	Resolve  *Length `yaml:"resolve,omitempty" json:"resolve,omitempty" jsonschema:"start to resolved"`
}

// Length is a duration as a source states it.
type Length struct {
	Value   Duration `yaml:"value" json:"value" jsonschema:"for example 4h51m, 40h or 2d"`
	About   bool     `yaml:"about,omitempty" json:"about,omitempty" jsonschema:"true where the source itself says about, nearly or more than"`
	Sources []string `yaml:"sources,omitempty" json:"sources,omitempty" jsonschema:"ids of sources that state it; absent: the first source"`
}

// Observed is something that was seen at a published time.
type Observed struct {
	At      Time     `yaml:"at" json:"at" jsonschema:"when it was seen"`
	Until   *Time    `yaml:"until,omitempty" json:"until,omitempty" jsonschema:"end of the period in which it was seen"`
	About   bool     `yaml:"about,omitempty" json:"about,omitempty" jsonschema:"true where the source itself says about"`
	Text    Text     `yaml:"text" json:"text" jsonschema:"what was seen"`
	Metric  string   `yaml:"metric,omitempty" json:"metric,omitempty" jsonschema:"what was measured, for example error_rate"`
	Value   *float64 `yaml:"value,omitempty" json:"value,omitempty" jsonschema:"the measured value; rates as a fraction of one"`
	Unit    string   `yaml:"unit,omitempty" json:"unit,omitempty" jsonschema:"unit of the value, for example ratio, 1/s or connections"`
	Sources []string `yaml:"sources,omitempty" json:"sources,omitempty" jsonschema:"ids of sources that state it; absent: the first source"`
}

// Severity is the grade that the organisation itself gave.
type Severity struct {
	Stated string `yaml:"stated" json:"stated" jsonschema:"as written in the source, for example SEV-1"`
	Level  int    `yaml:"level,omitempty" json:"level,omitempty" jsonschema:"1 (worst) to 4, where the source's scale allows the mapping"`
	Basis  string `yaml:"basis,omitempty" json:"basis,omitempty" jsonschema:"stated (default) or inferred"`
}

// Impact tells who and what was affected.
type Impact struct {
	Scope        *Text    `yaml:"scope,omitempty" json:"scope,omitempty" jsonschema:"what part of the service was affected, and how far"`
	Users        *Text    `yaml:"users,omitempty" json:"users,omitempty" jsonschema:"which users were affected, and how many"`
	Regions      []string `yaml:"regions,omitempty" json:"regions,omitempty" jsonschema:"regions or data centres by their own names"`
	Kinds        []string `yaml:"kinds,omitempty" json:"kinds,omitempty" jsonschema:"vocabulary list impact"`
	ErrorRateMax *float64 `yaml:"error_rate_max,omitempty" json:"error_rate_max,omitempty" jsonschema:"highest published share of failed requests, 0 to 1"`
	DataLoss     string   `yaml:"data_loss,omitempty" json:"data_loss,omitempty" jsonschema:"vocabulary list data-loss; absent where no source speaks of it"`
}

// Symptoms tell how the failure showed, in prose and in codes.
type Symptoms struct {
	Text  Text     `yaml:"text" json:"text" jsonschema:"what users, operators and instruments saw, as Markdown"`
	Codes []string `yaml:"codes" json:"codes" jsonschema:"vocabulary list symptom"`
}

// Trigger is what set the incident off.
type Trigger struct {
	Text    Text     `yaml:"text" json:"text" jsonschema:"the event, with its time where published"`
	Kind    string   `yaml:"kind" json:"kind" jsonschema:"vocabulary list trigger"`
	Sources []string `yaml:"sources,omitempty" json:"sources,omitempty" jsonschema:"ids of sources that state it; absent: the first source"`
}

// Cause is one reason why the trigger could do it.
type Cause struct {
	Code    string   `yaml:"code" json:"code" jsonschema:"vocabulary list cause"`
	Role    string   `yaml:"role" json:"role" jsonschema:"root or contributing"`
	Text    *Text    `yaml:"text,omitempty" json:"text,omitempty" jsonschema:"the cause in this case"`
	Sources []string `yaml:"sources,omitempty" json:"sources,omitempty" jsonschema:"ids of sources that state it; absent: the first source"`
}

// Mechanism is one way in which the failure spread or kept itself going.
type Mechanism struct {
	Code string `yaml:"code" json:"code" jsonschema:"vocabulary list mechanism"`
	Text *Text  `yaml:"text,omitempty" json:"text,omitempty" jsonschema:"how it worked in this case: what fed what"`
}

// Component is a kind of component that took part.
type Component struct {
	Code    string `yaml:"code" json:"code" jsonschema:"vocabulary list component"`
	Product string `yaml:"product,omitempty" json:"product,omitempty" jsonschema:"the product by name, for example Amazon RDS Proxy"`
	Version string `yaml:"version,omitempty" json:"version,omitempty" jsonschema:"its version, where published"`
	Role    string `yaml:"role" json:"role" jsonschema:"origin, carrier or victim"`
}

// Detection tells how the incident was noticed.
type Detection struct {
	Text Text   `yaml:"text" json:"text" jsonschema:"who or what noticed it, and when"`
	How  string `yaml:"how" json:"how" jsonschema:"vocabulary list detection"`
	Gap  *Text  `yaml:"gap,omitempty" json:"gap,omitempty" jsonschema:"why it was not noticed earlier"`
}

// Action is something done during the incident.
type Action struct {
	Text    Text     `yaml:"text" json:"text" jsonschema:"what was done"`
	Kind    string   `yaml:"kind" json:"kind" jsonschema:"vocabulary list remedy"`
	At      *Time    `yaml:"at,omitempty" json:"at,omitempty" jsonschema:"when, where published"`
	About   bool     `yaml:"about,omitempty" json:"about,omitempty" jsonschema:"true where the source itself says about"`
	Effect  string   `yaml:"effect" json:"effect" jsonschema:"vocabulary list effect"`
	Sources []string `yaml:"sources,omitempty" json:"sources,omitempty" jsonschema:"ids of sources that state it; absent: the first source"`
}

// Followup is something changed or planned after the incident.
type Followup struct {
	Text    Text     `yaml:"text" json:"text" jsonschema:"what was or will be changed"`
	Kind    string   `yaml:"kind" json:"kind" jsonschema:"vocabulary list remedy"`
	Aim     string   `yaml:"aim" json:"aim" jsonschema:"vocabulary list aim"`
	Status  string   `yaml:"status,omitempty" json:"status,omitempty" jsonschema:"vocabulary list followup-status, as of the report"`
	Sources []string `yaml:"sources,omitempty" json:"sources,omitempty" jsonschema:"ids of sources that state it; absent: the first source"`
}

// Condition is a precondition of the incident, stated so that one can look for it.
type Condition struct {
	ID        string `yaml:"id" json:"id" jsonschema:"unique in the case, lower case with hyphens"`
	Statement Text   `yaml:"statement" json:"statement" jsonschema:"what a system would have to look like"`
}

// Source is a piece of evidence.
type Source struct {
	ID          string   `yaml:"id" json:"id" jsonschema:"unique in the case, short, for example report"`
	URL         string   `yaml:"url" json:"url" jsonschema:"where it was published"`
	Title       string   `yaml:"title,omitempty" json:"title,omitempty" jsonschema:"its own title"`
	Kind        string   `yaml:"kind" json:"kind" jsonschema:"vocabulary list source-kind"`
	Publisher   string   `yaml:"publisher,omitempty" json:"publisher,omitempty" jsonschema:"who published it, where it is not the organisation of the case"`
	Lang        string   `yaml:"lang,omitempty" json:"lang,omitempty" jsonschema:"language, BCP 47, for example en, ko, ja"`
	Published   *Time    `yaml:"published,omitempty" json:"published,omitempty" jsonschema:"when it was published"`
	ArchivedURL string   `yaml:"archived_url,omitempty" json:"archived_url,omitempty" jsonschema:"a lasting copy"`
	Retrieved   *Time    `yaml:"retrieved,omitempty" json:"retrieved,omitempty" jsonschema:"when it was read for this record"`
	Alive       *bool    `yaml:"alive,omitempty" json:"alive,omitempty" jsonschema:"whether the URL answered when last looked at"`
	Supports    []string `yaml:"supports,omitempty" json:"supports,omitempty" jsonschema:"fields that rest on this source although they name no source themselves, for example narrative"`
}

// Reference is further reading that no fact of the case rests on.
type Reference struct {
	URL   string `yaml:"url" json:"url" jsonschema:"where it is"`
	Title string `yaml:"title" json:"title" jsonschema:"its own title"`
	Lang  string `yaml:"lang,omitempty" json:"lang,omitempty" jsonschema:"language, BCP 47"`
}

// Related is an editor's word that two cases belong together. It holds in
// both directions.
type Related struct {
	ID       string `yaml:"id" json:"id" jsonschema:"the other case"`
	Relation string `yaml:"relation" json:"relation" jsonschema:"vocabulary list relation"`
	Reason   *Text  `yaml:"reason,omitempty" json:"reason,omitempty" jsonschema:"why, in a sentence"`
}

// NotRelated is an editor's word that two cases must not be offered as
// similar. It holds in both directions.
type NotRelated struct {
	ID     string `yaml:"id" json:"id" jsonschema:"the other case"`
	Reason Text   `yaml:"reason" json:"reason" jsonschema:"why, in a sentence"`
}

// Conflict is a contradiction between sources or inside one.
type Conflict struct {
	Field  string          `yaml:"field" json:"field" jsonschema:"path of the field, for example times.start"`
	Values []ConflictValue `yaml:"values" json:"values" jsonschema:"what each source says"`
	Chosen string          `yaml:"chosen" json:"chosen" jsonschema:"the value that the record uses"`
	Why    *Text           `yaml:"why,omitempty" json:"why,omitempty" jsonschema:"why that one"`
}

// ConflictValue is what one source says.
type ConflictValue struct {
	Value  string `yaml:"value" json:"value" jsonschema:"the value as stated"`
	Source string `yaml:"source" json:"source" jsonschema:"id of the source"`
}

// Review tells how far a record can be relied on.
type Review struct {
	Status         string `yaml:"status" json:"status" jsonschema:"unreviewed, partly-checked, checked-against-source or reviewed-by-organisation"`
	By             string `yaml:"by,omitempty" json:"by,omitempty" jsonschema:"role or handle of the reviewer"`
	MachineDrafted bool   `yaml:"machine_drafted,omitempty" json:"machine_drafted,omitempty" jsonschema:"true where the text was drafted by a machine"`
	NoFirstParty   *Text  `yaml:"no_first_party,omitempty" json:"no_first_party,omitempty" jsonschema:"why no first-party source could be read, where none is among the sources"`
}
