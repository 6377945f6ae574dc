package app

import "testing"

// TestFarQueriesAreTold asks about other things than incidents, and wants to
// be told that no case is close. That no judged query is taken for one of these
// is a test of bench/search.
func TestFarQueriesAreTold(t *testing.T) {
	a := publicApp(t)
	for _, text := range []string{
		"how to bake sourdough",
		"최고의 떡볶이 맛집",
		"invoice pdf export wrong font",
		"best pizza in town",
		"change the colour of the button on the profile page",
		"translate this sentence into french",
		"weather forecast for tomorrow in seoul",
		"how do I center a div with css",
		"react hook form validation example",
		"kubectl cheat sheet pdf",
		"football world cup schedule",
		"buy cheap shoes online",
		"excel formula to sum a column",
		"recipe for kimchi stew",
		"printer does not print in color",
		"learn piano in thirty days",
		"iphone battery replacement price",
		"how to write a cover letter",
		"강아지 사료 추천",
		"오늘 서울 날씨 알려줘",
		"엑셀에서 중복 행 지우는 방법",
		"연말정산 서류 제출 방법",
		"버튼 색상이 디자인이랑 달라요",
		"회의실 예약 어떻게 하나요",
		"제주도 여행 코스 추천",
		"영수증 PDF 글꼴이 깨져요",
		"아이폰 배터리 교체 비용",
		"신입 사원 교육 자료",
		"프린터 종이가 걸렸어요",
		"영어 문법 공부 방법",
		"축구 경기 일정",
		"배터리",
		"ransomware encrypted our files",
		"leap second caused high cpu",
		"data center fire",
		"datacenter fire",
		"데이터센터 화재",
		"fire in the datacenter",
		"data center on fire",
		"fire at our data center",
		"the server room is on fire",
		"데이터센터에 불이 났어요",
		"서버실에 불이 났다",
		"earthquake in the datacenter",
		"explosion near the data centre",
		"best database for a blog",
		"DNS 서버 추천",
		"kubernetes certification exam",
		"load balancer salary",
		"프린터",
		"flood in the datacenter",
		"the server room flooded",
		"데이터센터 침수",
		"서버실에 물이 샌다",
		"how to learn kubernetes",
		"kubernetes tutorial for beginners",
		"redis vs memcached comparison",
		"kafka or rabbitmq, which one do you recommend",
		"레디스 memcached 비교",
		"쿠버네티스 공부는 어떻게 하나요",
		"postgres mysql 차이점",
	} {
		r, err := a.Search(SearchQuery{Text: text, Limit: 1, Facets: []string{}})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Far {
			t.Errorf("Search(%q) finds %d cases, and calls one close", text, r.Total)
		}
	}
}

// TestCloseQueriesAreNot asks about incidents in few words.
func TestCloseQueriesAreNot(t *testing.T) {
	a := publicApp(t)
	for _, text := range []string{
		"timeout", "DNS", "디스크", "IL-0574", "split brain", "nobody got paged", "인증서 만료", "사이트가 죽음",
		"postgres is down", "쿠버네티스 업그레이드", "redis", "dial tcp: lookup db.internal: i/o timeout",
		"power outage in the datacenter", "datacenter cooling failure", "redis slow", "postgres replica lag", "alerts did not fire",
		"커넥션 누수", "recommendation service timeouts", "learn the hard way etcd lost quorum",
	} {
		r, err := a.Search(SearchQuery{Text: text, Limit: 1, Facets: []string{}})
		if err != nil {
			t.Fatal(err)
		}
		if r.Far {
			t.Errorf("Search(%q) finds nothing close", text)
		}
	}
	for _, q := range []SearchQuery{{}, {Text: "how to bake sour", Partial: true}} {
		if r, err := a.Search(q); err != nil || r.Far {
			t.Errorf("Search(%+v) finds nothing close (error %v)", q, err)
		}
	}
}

// TestMessageFindsItsCase pastes messages whose meaning a term has to carry, not
// the words around it.
func TestMessageFindsItsCase(t *testing.T) {
	a := publicApp(t)
	for text, want := range map[string]string{
		"redis OOM command not allowed when used memory > 'maxmemory'": "IL-0290",
		"retry stom":          "PR-0010",
		"too many open files": "PR-0063",
		"인증서 만려":              "PR-0003",
	} {
		r, err := a.Search(SearchQuery{Text: text, Limit: 1, Facets: []string{}})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Hits) == 0 || r.Hits[0].ID != want {
			t.Errorf("Search(%q) finds %v first, want %s", text, r.Hits, want)
		}
	}
}
