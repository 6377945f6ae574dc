package system

import (
	"strings"

	"github.com/openprecedent/precedent/internal/bilingual"
)

// formulaKorean are the words of formulas in Korean, the longer ones first.
var formulaKorean = []string{
	"load when each call is hedged", "호출마다 헤지할 때의 부하",
	"load with empty caches", "캐시가 비었을 때의 부하",
	"load when all is tried again", "모두 재시도할 때의 부하",
	"time of an unhindered answer", "막힘없는 응답 시간",
	"time in which the callee gives up", "호출받은 쪽이 포기하는 시간",
	"time until the call gives up", "호출이 포기하기까지의 시간",
	"time of a large call", "큰 호출의 시간",
	"attempts on one way <= those of one level", "한 경로의 시도 수 <= 한 단계의 시도 수",
	"max over rho of", "rho에 대한 최댓값",
	"time held", "점유 시간", "timeout", "타임아웃", "attempts", "시도 수", "workers", "워커",
	"capacity", "처리 능력", "load", "부하", "work", "작업 시간", "room", "대기실", " x ", " × ",
}

// FormulaIn returns the formula with its words in language l.
func (b Bound) FormulaIn(l bilingual.Lang) string {
	if l != bilingual.Korean {
		return b.Formula
	}
	return strings.NewReplacer(formulaKorean...).Replace(b.Formula)
}
