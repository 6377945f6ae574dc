package parts

import (
	"fmt"
	"slices"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/explore"
)

// Actors implements [Protocol].
func (o *planOrders) Actors() []bilingual.Text {
	all := []bilingual.Text{{En: "planner", Ko: "플래너"}}
	for k := range o.first.appliers {
		all = append(all, both("applier %d", "적용기 %d", k+1))
	}
	return all
}

// Shown implements [Protocol].
func (o *planOrders) Shown() []bilingual.Text {
	var all []bilingual.Text
	for i := range o.first.rows {
		all = append(all, both("endpoint %d has", "엔드포인트 %d", i+1))
	}
	return all
}

// Says implements [Protocol].
func (o *planOrders) Says(invariant string) bilingual.Text {
	switch invariant {
	case recordsExist:
		return bilingual.Text{
			En: "every endpoint has the records of a plan",
			Ko: "모든 엔드포인트에 계획의 레코드가 있다",
		}
	case activeKept:
		return bilingual.Text{
			En: "no plan is deleted while an endpoint has it",
			Ko: "엔드포인트가 쓰고 있는 계획은 지워지지 않는다",
		}
	case neverOlder:
		return bilingual.Text{
			En: "no endpoint gets an older plan than the one it has",
			Ko: "엔드포인트의 계획이 더 오래된 것으로 바뀌지 않는다",
		}
	case newestInReach:
		return bilingual.Text{
			En: "the newest plan can still come to every endpoint without help",
			Ko: "사람의 도움 없이 최신 계획이 모든 엔드포인트에 이를 수 있다",
		}
	}
	panic("parts: no invariant is called " + invariant) // a programmer's mistake
}

// Tell implements [Protocol]. The generations have the numbers that they would
// have in a run.
func (o *planOrders) Tell(path []explore.Step) []Told {
	p := o.first
	p.rows, p.appliers = slices.Clone(p.rows), slices.Clone(p.appliers)
	var told []Told
	for _, s := range path {
		told = append(told, Told{Actor: s.Actor, What: p.tell(s), After: p.has()})
	}
	return told
}

// has says what the endpoints have.
func (p *plans) has() []bilingual.Text {
	var all []bilingual.Text
	for _, row := range p.rows {
		if row.empty {
			all = append(all, bilingual.Text{En: "nothing", Ko: "비어 있음"})
			continue
		}
		all = append(all, both("plan %d", "계획 %d", row.gen))
	}
	return all
}

// tell takes a step and says it.
func (p *plans) tell(s explore.Step) bilingual.Text {
	if s.Action == doPlan {
		p.do(s)
		return both("makes plan %d", "계획 %d 생성", p.newest)
	}
	a := &p.appliers[s.Actor-firstApplier]
	i := a.next
	if s.Action == doTake {
		p.do(s)
		return both("takes plan %d, the newest", "계획 %d 받음, 지금은 최신", a.gen)
	}
	if s.Action == doSweep {
		return p.tellSweep(s, a.gen)
	}
	before := p.rows[i]
	p.do(s)
	if s.Action == doLook {
		if a.at == writing && a.next == i {
			return both("finds that endpoint %d has an older plan", "엔드포인트 %d의 계획이 더 오래됨을 확인", i+1)
		}
		return both("finds no older plan at endpoint %d and passes on", "엔드포인트 %d의 계획이 더 오래되지 않아 지나감", i+1)
	}
	return p.tellWrite(before, i, a.gen)
}

// tellWrite says what came of writing an endpoint.
func (p *plans) tellWrite(before endpoint, i int, gen uint32) bilingual.Text {
	row := p.rows[i]
	switch {
	case before.empty && row == before:
		return both("cannot write endpoint %d", "엔드포인트 %d에 쓰지 못함", i+1)
	case row == before && p.fresh && p.gone(gen):
		return both("cannot write plan %[2]d to endpoint %[1]d, as it is deleted", "엔드포인트 %[1]d에 쓰지 못함, 계획 %[2]d 이미 지워짐", i+1, gen)
	case row == before && before.gen != gen:
		return both("leaves endpoint %d as it is", "엔드포인트 %d: 그대로 둠", i+1)
	case row.empty:
		return both("writes plan %[2]d to endpoint %[1]d; it is deleted", "엔드포인트 %[1]d에 이미 지워진 계획 %[2]d 기록", i+1, gen)
	case gen < before.gen:
		return both("writes plan %[2]d to endpoint %[1]d, over plan %[3]d", "엔드포인트 %[1]d에 계획 %[2]d 기록, 더 새로운 계획 %[3]d 위에", i+1, gen, before.gen)
	}
	return both("writes plan %[2]d to endpoint %[1]d", "엔드포인트 %[1]d에 계획 %[2]d 기록", i+1, gen)
}

// tellSweep cleans and says what was deleted of the plans that are of importance.
func (p *plans) tellSweep(s explore.Step, gen uint32) bilingual.Text {
	cut := p.cut
	p.do(s)
	switch {
	case p.cut == cut:
		return bilingual.Text{En: "cleans: there is nothing to delete", Ko: "정리: 지울 것 없음"}
	case len(p.spared) > 0:
		return both("cleans: deletes plans up to %d, but %v", "정리: 계획 %d까지 삭제, 남긴 것 %v", gen-p.keep-1, p.spared)
	}
	return both("cleans: deletes plans up to %d", "정리: 계획 %d까지 삭제", gen-p.keep-1)
}

// both writes values into a text of each language.
func both(en, ko string, values ...any) bilingual.Text {
	return bilingual.Text{En: fmt.Sprintf(en, values...), Ko: fmt.Sprintf(ko, values...)}
}
