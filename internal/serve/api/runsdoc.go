package api

import (
	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/study"
)

// runOperation is a row of the table of what can be done with simulations. The
// OpenAPI document, the reference and the tests are made of it.
type runOperation struct {
	id, method, path string
	doc, more        bilingual.Text
	statuses         []string // of problems
}

func runOperations() []runOperation {
	common := []string{"400", "405", "413", "414", "421", "429", "500", "503"}
	return []runOperation{
		{
			id: "startRun", method: "post", path: "/runs",
			doc: bilingual.Text{En: "Simulates a system", Ko: "시스템을 시뮬레이션하기"},
			more: bilingual.Text{
				En: "The body holds the text of a system file and what is asked: `run` shows what happens, `judge` whether it comes back by itself, `stress` how little tips it, `remedies` what brings it back, `map` what it is over two of its settings, and `explain` what formulas say of it. The answer is the one that `--json` of the command gives, which it names. 200 has the result; 202 says that it takes longer, and `Location` where to look. The same question has the same id, and its answer is kept for a while. A simulation may compute for 20 seconds, and a client may have two under way. One that takes longer is `failed`: its `result` is what was known by then, with what that lacks in `missing`, and `remedy` says how to go on. Of `judge`, `stress`, `remedies` and `map`, what was found is kept for a while, so that asking the same again goes on from there.",
				Ko: "본문에 시스템 파일의 글과 물을 것을 적는다. `run`은 무슨 일이 벌어지는지, `judge`는 저절로 돌아오는지, `stress`는 얼마나 작은 촉발 요인에 넘어가는지, `remedies`는 무엇이 되돌리는지, `map`은 두 설정에 따라 어떻게 달라지는지, `explain`은 공식이 말하는 것을 답한다. 답은 명령의 `--json`과 같고 그 명령이 적혀 있다. 200이면 결과가 함께 오고, 202면 더 걸린다는 뜻이며 `Location`에서 이어 본다. 같은 질문은 id가 같고 답을 얼마 동안 보관한다. 계산은 20초까지, 한 클라이언트가 동시에 둘까지 쓸 수 있다. 더 걸리면 `failed`가 된다. `result`는 그때까지 알게 된 것이고 빠진 것은 `missing`에, 이어 가는 방법은 `remedy`에 적는다. `judge`, `stress`, `remedies`, `map`은 알아낸 것을 얼마 동안 보관하므로 같은 것을 다시 물으면 이어서 한다."},
			statuses: append([]string{"403", "415", "422"}, common...),
		},
		{
			id: "getRun", method: "get", path: "/runs/{id}",
			doc:      bilingual.Text{En: "A simulation: how far it is, and its result", Ko: "시뮬레이션 하나의 진행과 결과"},
			statuses: append([]string{"404"}, common...),
		},
		{
			id: "cancelRun", method: "delete", path: "/runs/{id}",
			doc: bilingual.Text{En: "Takes a simulation back", Ko: "시뮬레이션 그만두기"},
			more: bilingual.Text{
				En: "It ends where no other client has asked the same.",
				Ko: "같은 것을 물은 다른 클라이언트가 없으면 멈춘다."},
			statuses: append([]string{"403", "404"}, common...),
		},
		{
			id: "watchRun", method: "get", path: "/runs/{id}/events",
			doc: bilingual.Text{En: "The progress of a simulation as server-sent events", Ko: "시뮬레이션의 진행을 server-sent events로 보기"},
			more: bilingual.Text{
				En: "`progress` while it is under way and `end` at its end, each with the simulation but for its result. A stream ends after a minute.",
				Ko: "진행하는 동안 `progress`, 끝나면 `end`를 보낸다. 결과를 뺀 시뮬레이션이 담긴다. 스트림은 1분 뒤에 끝난다."},
			statuses: append([]string{"404"}, common...),
		},
	}
}

// exampleSystem is a system that is metastable: a short slowness of its
// database is never got over, since clients try again.
const exampleSystem = `name: a retry storm
parts:
  users: {kind: source, rate: 50/s, call: {to: db, timeout: 300ms, retries: 3}}
  db: {kind: server, work: exp 10ms}
run: {for: 60s}
changes:
  - {about: the slow database, at: 10s, for: 4s, set: {db.speed: 5%}}
`

// run describes what can be done with simulations.
func (b *describer) run(op runOperation) {
	jobSchema := object{"$ref": "#/components/schemas/Run"}
	ok := object{"description": op.doc.En, "headers": headerRefs("Cache-Control"), "content": object{
		"application/json": object{"schema": jobSchema},
	}}
	responses := object{"200": ok}
	one := object{"operationId": op.id, "summary": op.doc.En, "tags": []string{"simulations"}, "responses": responses}
	if op.more.En != "" {
		one["description"] = op.more.En
	}
	id := object{"name": "id", "in": "path", "required": true, "description": "Id of the simulation, from the answer that started it.",
		"schema": object{"type": "string"}}
	switch op.id {
	case "startRun":
		ok["description"] = "It has ended"
		ok["headers"] = headerRefs("Cache-Control", "Location")
		responses["202"] = object{"description": "It is under way", "headers": headerRefs("Cache-Control", "Location"), "content": ok["content"]}
		one["requestBody"] = object{"required": true, "content": object{"application/json": object{
			"schema":  object{"$ref": "#/components/schemas/RunQuestion"},
			"example": study.Question{System: exampleSystem, Kind: "judge"},
		}}}
	case "watchRun":
		ok["content"] = object{"text/event-stream": object{"schema": object{"type": "string"}}}
		one["parameters"] = []object{id}
	default:
		one["parameters"] = []object{id}
	}
	for _, status := range op.statuses {
		responses[status] = object{"$ref": "#/components/responses/" + status}
	}
	at, _ := b.paths[Root+op.path].(object)
	if at == nil {
		at = object{}
		b.paths[Root+op.path] = at
	}
	at[op.method] = one
}
