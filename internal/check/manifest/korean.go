package manifest

import "github.com/openprecedent/precedent/internal/bilingual"

// phrases are what problems say and advise, in both languages.
func phrases() bilingual.Phrases {
	return bilingual.Phrases{
		{En: "has % bytes, more than %", Ko: "%바이트로, %바이트를 넘는다"},
		{En: "has more than % fields in each other", Ko: "필드가 %단계보다 깊이 겹쳐 있다"},
		{En: "has more than % values", Ko: "값이 %개를 넘는다"},
		{En: "is a template that is not rendered", Ko: "렌더링하지 않은 템플릿이다"},
		{En: "is no YAML: another document begins without a line of ---", Ko: "YAML이 아니다: --- 줄 없이 다른 문서가 시작된다"},
		{En: "is no object", Ko: "객체가 아니다"},
		{En: "give it apiVersion and kind, or leave it out", Ko: "apiVersion과 kind를 적거나 뺀다"},
		{En: "is a link to a folder elsewhere, which is not followed", Ko: "다른 곳의 폴더를 가리키는 링크라서 따라가지 않는다"},
		{En: "name that folder too, or leave the link out", Ko: "그 폴더도 함께 주거나 링크를 뺀다"},
		{En: "is no YAML: %", Ko: "YAML이 아니다: %"},
		{En: "is no JSON: %", Ko: "JSON이 아니다: %"},
		{En: "line %: the field % stands a second time", Ko: "%행: 필드 %가 두 번 나온다"},
		{En: "is a link to nowhere", Ko: "가리키는 곳이 없는 링크다"},
		{En: "is no regular file", Ko: "일반 파일이 아니다"},
		{En: "open %: permission denied", Ko: "%: 읽을 권한이 없다"},
		{En: "holds no object", Ko: "객체가 없다"},

		{En: "split it", Ko: "나눈다"},
		{En: "write it plainly", Ko: "단순하게 적는다"},
		{En: "mend it, or leave the file out", Ko: "고치거나 그 파일을 뺀다"},
		{En: "mend it, or leave it out", Ko: "고치거나 뺀다"},
		{En: "leave it out", Ko: "뺀다"},
		{En: "let it be read, or leave it out", Ko: "읽을 수 있게 하거나 뺀다"},
		{En: "render it first, such as with `helm template`, and give that", Ko: "`helm template` 등으로 먼저 렌더링해 그 결과를 준다"},
		{En: "give manifests, or the output of kubectl get -o yaml", Ko: "매니페스트나 kubectl get -o yaml의 출력을 준다"},
		{En: "give manifests, the output of kubectl get -o yaml, or that of a script of --script", Ko: "매니페스트나 kubectl get -o yaml의 출력, --script 스크립트의 결과를 준다"},
	}
}

// Texts says in both languages what is wrong, and what to do. What others have said,
// such as the decoder of a format, stays as it is.
func (p Problem) Texts() (msg, help bilingual.Text) {
	all := phrases()
	both := func(en string) bilingual.Text {
		if ko, ok := all.Korean(en); ok || en == "" {
			return bilingual.Text{En: en, Ko: ko}
		}
		return bilingual.Text{En: en, Ko: en}
	}
	return both(p.Msg), both(p.Help)
}
