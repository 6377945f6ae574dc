package verdict

import (
	"fmt"

	"github.com/openprecedent/precedent/internal/bilingual"
	"github.com/openprecedent/precedent/internal/sim/des"
	"github.com/openprecedent/precedent/internal/sim/parts"
)

// Unfit is the error of a system that cannot be judged as it is.
type Unfit struct{ Text bilingual.Text }

// Error says why, in English.
func (u *Unfit) Error() string { return u.Text.En }

// text fills in a text in both languages. Arguments that are texts themselves are
// put in as they are in each.
func text(en, ko string, args ...any) bilingual.Text {
	return bilingual.Text{En: filled(en, bilingual.English, args), Ko: filled(ko, bilingual.Korean, args)}
}

func filled(format string, l bilingual.Lang, args []any) string {
	own := make([]any, len(args))
	for i, a := range args {
		if t, ok := a.(bilingual.Text); ok {
			a = t.In(l)
		}
		own[i] = a
	}
	return fmt.Sprintf(format, own...)
}

// joined joins texts.
func joined(all []bilingual.Text, en, ko string) bilingual.Text {
	var out bilingual.Text
	for i, t := range all {
		if i > 0 {
			out.En, out.Ko = out.En+en, out.Ko+ko
		}
		out.En, out.Ko = out.En+t.En, out.Ko+t.Ko
	}
	return out
}

// lacking says what a share of a load did not get.
func (j JudgedBy) lacking(share float64) bilingual.Text {
	of := joined(plain(j.Parts), ", ", ", ")
	percent := float64(100 * share)
	switch j.Kind {
	case parts.Members:
		return text("%.0f %% of the members of %s do not have what they should", "%[2]s의 구성원 %.0[1]f%%가 필요한 것을 갖지 못한다", percent, of)
	case parts.Messages:
		return text("%.0f %% of the messages of %s are not done in time", "%[2]s의 메시지 %.0[1]f%%가 제때 처리되지 않는다", percent, of)
	case parts.Runs:
		return text("%.0f %% of the runs of %s fail", "%[2]s의 실행 %.0[1]f%%가 실패한다", percent, of)
	}
	return text("%.0f %% of the requests get no good answer", "요청의 %.0f%%가 제대로 된 응답을 받지 못한다", percent)
}

// plain makes texts of words that are the same in both languages.
func plain(words []string) []bilingual.Text {
	var all []bilingual.Text
	for _, w := range words {
		all = append(all, bilingual.Text{En: w, Ko: w})
	}
	return all
}

// classify draws the conclusion from the evidence.
func classify(j *Judgment) (Class, bilingual.Text) {
	if b := j.Baseline; b.Unhealthy.Share >= 0.5 {
		return Overloaded, text("without any trigger, %s", "촉발 요인이 없어도 %s", j.JudgedBy[b.Worst].lacking(b.Errors))
	}
	class := Stable
	why := text("it comes back by itself after every trigger that was tried", "시험한 모든 촉발 요인 뒤에 스스로 돌아온다")
	for _, t := range j.Trials {
		name := t.Trigger.Name
		switch {
		case t.Trigger.Own && t.Tip.Share >= 0.5:
			return Metastable, down(j, t)
		case t.Trigger.Own && 2*t.Undecided >= t.Seeds:
			return Undecided, text("after %s is over, it is neither healthy nor clearly down when the watch ends: its backlog still shrinks",
				"%s: 끝난 뒤 관찰이 끝날 때까지 정상인지 무너졌는지 분명하지 않다. 밀린 일이 아직 줄고 있다", name)
		case t.Tip.Share > 0 && class != Vulnerable:
			class = Vulnerable
			why = text("it is healthy, but does not come back after %s", "정상이지만 다음 촉발 요인 뒤에는 돌아오지 못한다: %s", name)
		case t.Trigger.Own && t.During > j.Limit && class == Stable:
			class = Driven
			why = text("%s hurts it while it lasts, and it comes back by itself, %v after the end on average",
				"%s: 그동안 나빠지고, 끝난 뒤 평균 %v 만에 스스로 돌아온다", name, rounded(t.Recovery))
		}
	}
	return class, why
}

// rounded writes seconds as a span that one reads.
func rounded(seconds float64) parts.Duration {
	step := des.Second / 10
	if seconds >= 10 {
		step = des.Second
	}
	return parts.Duration((des.FromSeconds(seconds) + step/2) / step * step)
}

// down says of a system that is metastable how it stays down.
func down(j *Judgment, t Trial) bilingual.Text {
	why := text("after %s is over, it stays down: %.0f %% errors, while a fresh start is healthy",
		"%s: 끝난 뒤에도 무너진 채로 있다. 오류가 %.0f%%이고, 새로 시작하면 정상이다", t.Trigger.Name, float64(100*t.After))
	if by := j.JudgedBy[t.Worst]; by.Kind != parts.Requests {
		why = text("after %s is over, it stays down: %s, while a fresh start is healthy",
			"%s: 끝난 뒤에도 무너진 채로 있다. %s. 새로 시작하면 정상이다", t.Trigger.Name, by.lacking(t.After))
	}
	if t.CalmDown > 0 {
		why = text("%s; it does so without retries too, so they are not what keeps it down",
			"%s. 재시도가 없어도 마찬가지이므로 재시도가 원인은 아니다", why)
	}
	return why
}
