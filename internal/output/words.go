package output

import (
	"github.com/openprecedent/precedent/internal/bilingual"
)

// words are the words of the program itself, in both languages. The words of
// the library, names of terms and lists, come from the vocabulary.
var words = map[string]bilingual.Text{
	"actions":         {En: "What was done", Ko: "조치"},
	"about":           {En: "about", Ko: "약"},
	"also-affected":   {En: "Also affected", Ko: "함께 영향받음"},
	"cases":           {En: "Cases", Ko: "사례"},
	"causes":          {En: "Causes", Ko: "원인"},
	"components":      {En: "Components", Ko: "구성 요소"},
	"computed":        {En: "computed", Ko: "계산"},
	"conditions":      {En: "It could happen where", Ko: "일어날 수 있는 조건"},
	"conflicts":       {En: "Where sources disagree", Ko: "출처 사이의 차이"},
	"chosen":          {En: "used here", Ko: "여기서 쓴 값"},
	"contributing":    {En: "contributing", Ko: "기여"},
	"data-loss":       {En: "Data loss", Ko: "데이터 유실"},
	"date":            {En: "Date", Ko: "날짜"},
	"detect":          {En: "Time to detect", Ko: "감지까지"},
	"detected":        {En: "Detected", Ko: "감지"},
	"detection":       {En: "Detection", Ko: "감지"},
	"duration":        {En: "Duration", Ko: "지속 시간"},
	"durations":       {En: "How long they lasted", Ko: "지속 시간"},
	"error-rate":      {En: "Peak error rate", Ko: "최대 오류율"},
	"followups":       {En: "Follow-ups", Ko: "후속 조치"},
	"gap":             {En: "Why not earlier", Ko: "더 일찍 알지 못한 까닭"},
	"identified":      {En: "Cause identified", Ko: "원인 파악"},
	"identify":        {En: "Time to identify", Ko: "원인 파악까지"},
	"impact":          {En: "Impact", Ko: "영향"},
	"no-close-case":   {En: "No case is close to this", Ko: "이와 가까운 사례가 없다"},
	"in-no-case":      {En: "in no case", Ko: "어느 사례에도 없는 말"},
	"lessons":         {En: "Lessons", Ko: "교훈"},
	"machine-draft":   {En: "Drafted by a machine from the sources", Ko: "출처를 바탕으로 기계가 초안을 작성함"},
	"matched":         {En: "matched", Ko: "일치"},
	"mechanisms":      {En: "Mechanisms", Ko: "메커니즘"},
	"mitigate":        {En: "Time to mitigate", Ko: "완화까지"},
	"mitigated":       {En: "Mitigated", Ko: "완화"},
	"narrative":       {En: "What happened", Ko: "경과"},
	"narrower":        {En: "Includes", Ko: "포함하는 항목"},
	"no-cases":        {En: "No cases.", Ko: "사례가 없다."},
	"no-similar":      {En: "No case is like it closely enough to be named.", Ko: "이름을 들 만큼 비슷한 사례가 없다."},
	"occurs-with":     {En: "Occurs with", Ko: "함께 나타나는 항목"},
	"origin":          {En: "origin", Ko: "시작"},
	"carrier":         {En: "carrier", Ko: "전달"},
	"victim":          {En: "victim", Ko: "피해"},
	"org":             {En: "Organisation", Ko: "조직"},
	"observed":        {En: "Observed", Ko: "관측"},
	"action":          {En: "Action", Ko: "조치"},
	"product":         {En: "Product", Ko: "제품"},
	"published":       {En: "published", Ko: "게시일"},
	"references":      {En: "Further reading", Ko: "참고 문서"},
	"regions":         {En: "Regions", Ko: "지역"},
	"related":         {En: "Seen before", Ko: "비슷한 사례"},
	"remedies":        {En: "What worked and what did not", Ko: "통한 조치와 통하지 않은 조치"},
	"replaces":        {En: "Replaces the case of this id in the library", Ko: "같은 번호의 사례를 대신하는 라이브러리"},
	"resolve":         {En: "Time to resolve", Ko: "복구까지"},
	"resolved":        {En: "Resolved", Ko: "복구"},
	"review":          {En: "Review", Ko: "검토"},
	"root":            {En: "root", Ko: "근본"},
	"score":           {En: "score", Ko: "점수"},
	"severity":        {En: "Severity", Ko: "심각도"},
	"since":           {En: "Since", Ko: "첫 사례"},
	"sources":         {En: "Sources", Ko: "출처"},
	"start":           {En: "Start", Ko: "시작"},
	"state":           {En: "State", Ko: "상태"},
	"summary":         {En: "Summary", Ko: "요약"},
	"symptoms":        {En: "Symptoms", Ko: "증상"},
	"timeline":        {En: "Timeline", Ko: "타임라인"},
	"tags":            {En: "Tags", Ko: "태그"},
	"trigger":         {En: "Trigger", Ko: "촉발"},
	"understood":      {En: "understood", Ko: "알아들은 말"},
	"users":           {En: "Users", Ko: "영향 사용자"},
	"synonyms":        {En: "Also called", Ko: "다른 이름"},
	"why":             {En: "Why it matched", Ko: "일치한 까닭"},
	"effect-failed":   {En: "What did not work", Ko: "통하지 않은 조치"},
	"effect-worsened": {En: "What made it worse", Ko: "악화시킨 조치"},
	"worked":          {En: "What worked", Ko: "통한 조치"},

	"nothing": {
		En: "No case matches. Describe the symptom in other words, paste an error message as it is, or take a filter away.",
		Ko: "맞는 사례가 없다. 증상을 다른 말로 적거나, 오류 메시지를 그대로 붙여 넣거나, 필터를 줄여 보라.",
	},
	"unreviewed":               {En: "not reviewed", Ko: "검토 전"},
	"partly-checked":           {En: "checked against the part of the sources that could be read", Ko: "출처 가운데 읽을 수 있는 부분과 대조함"},
	"checked-against-source":   {En: "checked against the source", Ko: "출처와 대조함"},
	"reviewed-by-organisation": {En: "reviewed by the organisation", Ko: "해당 조직이 검토함"},
	"state-draft":              {En: "This case is a draft.", Ko: "이 사례는 초안이다."},
	"state-merged":             {En: "This case is now part of", Ko: "이 사례가 합쳐진 사례"},
	"no-first-party":           {En: "No first-party source could be read", Ko: "당사자의 출처를 읽지 못함"},
	"other-language":           {En: "[in Korean]", Ko: "[영어]"},
}

// Word returns a word of the program itself in language l. It panics on a key
// that does not exist, which is a mistake in a template or a renderer.
func Word(key string, l bilingual.Lang) string {
	t, ok := words[key]
	if !ok {
		panic("output: no word " + key)
	}
	return t.In(l)
}

// HasWord reports whether a word exists, for keys that are names of fields.
func HasWord(key string) bool {
	_, ok := words[key]
	return ok
}
