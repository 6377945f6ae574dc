package search

import "strings"

// Names of products and everyday words of operations that people write in
// more than one way: in Hangul, in Latin letters, or short. Each line is one
// name; "/" separates its forms. They behave like vocabulary terms, but are
// not reported as such.
const names = `kubernetes / k8s / 쿠버네티스 / 쿠버네티즈 / 쿠베
postgresql / postgres / 포스트그레스 / 포스트그레SQL
mysql / 마이에스큐엘
mongodb / mongo / 몽고디비 / 몽고DB
redis / 레디스
memcached / memcache / 멤캐시드 / 멤캐시
cassandra / 카산드라
kafka / 카프카
zookeeper / 주키퍼
consul / 콘술 / 컨설
vault / 볼트
terraform / 테라폼
docker / 도커
docker hub / 도커 허브
istio / 이스티오
linkerd / 링커디
envoy / 엔보이
nginx / 엔진엑스
haproxy / HA프록시
traefik / 트래픽 인그레스
calico / 칼리코
cilium / 실리움
prometheus / 프로메테우스
grafana / 그라파나
elasticsearch / 엘라스틱서치
clickhouse / 클릭하우스
dynamodb / 다이나모디비 / 다이나모DB
aurora / 오로라
kinesis / 키네시스
lambda / 람다
cloudwatch / 클라우드워치
cloudflare / 클라우드플레어
github / 깃허브
gitlab / 깃랩
slack / 슬랙
google / 구글
amazon / 아마존
amazon web services / aws
azure / 애저
microsoft / 마이크로소프트
datadog / 데이터독
orchestrator / 오케스트레이터
vitess / 비테스
rabbitmq / 래빗엠큐
sidekiq / 사이드킥
celery / 셀러리
django / 장고
node.js / 노드js
windows / 윈도우 / 윈도
linux / 리눅스
ubuntu / 우분투
database / db / 데이터베이스 / 디비
load balancer / loadbalancer / lb / 로드 밸런서
writer / 라이터
reader / 리더
primary / 프라이머리 / 주 서버
replica / 복제본 / 레플리카
master / 마스터
failover / 페일오버 / 장애 조치
rollback / 롤백 / 되돌리기
rollout / 롤아웃
deployment / deploy / 배포 / 디플로이
health check / 헬스 체크 / 상태 검사
timeout / time out / 타임아웃
backoff / 백오프
proxy / 프록시
pooler / 풀러
shard / 샤드
partition / 파티션
quorum / 쿼럼
certificate / 인증서
credential / 자격 증명 / 크리덴셜
password / 비밀번호 / 패스워드
webhook / 웹훅
sidecar / 사이드카
namespace / 네임스페이스
node / 노드
pod / 파드 / 포드
container / 컨테이너
cluster / 클러스터
region / 리전
subnet / 서브넷
volume / 볼륨
disk / 디스크
memory / 메모리
thread / 스레드 / 쓰레드
cache / 캐시 / 캐쉬
queue / 큐 / 대기열
backlog / 백로그
worker / 워커
cron / 크론
script / 스크립트
upgrade / 업그레이드
update / 업데이트
migration / 마이그레이션
session / 세션
token / 토큰
rate limit / rate limiter / 요청 제한 / 속도 제한 / 레이트 리밋
quota / 쿼터
traffic / 트래픽
latency / 지연 시간 / 레이턴시
throughput / 처리량
bandwidth / 대역폭
packet / 패킷
router / 라우터
switch / 스위치
gateway / 게이트웨이
backbone / 백본
dashboard / 대시보드
monitoring / 모니터링
alert / alarm / 경보 / 알림 / 알람
log / 로그
metric / 지표 / 메트릭
backup / 백업
restore / 복원
restart / reboot / 재시작 / 재기동 / 재부팅
retry / retries / 재시도 / 리트라이
overload / 과부하
outage / down / 장애 / 다운
crash / 크래시
deadlock / 교착 / 데드락
leak / 누수
bug / 버그
autoscaling / 오토스케일링
autoscaler / 오토스케일러
telemetry / 텔레메트리
on call / 당직 / 온콜
customer / 고객
feature flag / 피처 플래그
config / configuration / 설정 / 구성
network / 네트워크
server / 서버
client / 클라이언트
connection / 커넥션 / 접속 / 연결
connection pool / 커넥션 풀
leader / 리더
lease / 리스
instance / 인스턴스
spec / instance size / 사양 / 스펙
login / sign in / 로그인
permission / 권한
regex / regular expression / 정규식 / 정규 표현식
index / 인덱스 / 색인
table / 테이블
schema / 스키마
query / 쿼리
transaction / 트랜잭션
snapshot / 스냅숏 / 스냅샷
storage / 스토리지 / 저장소
endpoint / 엔드포인트
resolver / 리졸버
kernel / 커널
panic / 패닉
cert / certificate / 인증서
vm / virtual machine / 가상 머신
`

// nameTerms returns the names as terms without list.
func nameTerms() []Term {
	var terms []Term
	for _, line := range strings.Split(strings.TrimSpace(names), "\n") {
		forms := strings.Split(line, " / ")
		terms = append(terms, Term{ID: strings.TrimSpace(forms[0]), Phrases: forms})
	}
	return terms
}
