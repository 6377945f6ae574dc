package search

// Everyday words of both languages, and words of operations, that are no
// typing mistakes although no case may have them. A word that is one of these,
// or a form of one, is never corrected. The list need not be complete: it holds
// words that are a letter or two away from a word of incidents.
const commonEnglish = `
able about above accept account acid actor actual acute adapt adult agent agree ahead aide alarm
album alert alias alike alive alley allow alone along alpha alter amber amend amount angle angry
ankle annex annoy apart apple apply apron arena argue arise armor array arrow aside asset assigned
async atlas attached attic audio audit aunt avoid await awake award aware awful bacon badge badly
bake baker bakery band bank banner bare barely bark barn barrel base basic basil basin basis
basket bass batch bath battery beach beam bean bear beard beast beat beef beer begin behave being
bell belly belong belt bench bend beta bike bill bind bird birth bite black blade blame blank
blast bleed blend bless blind blip bliss blob blood bloom board boast boat body boil bold bolt
bomb bone bonus book boolean boost boot booth bore borked boss both bother bounce bounced bouncing
bowl box brain brand brass brave bread break breed brick bricked bride brief bring broad broken
broker brown browser brush bubble bucket buddy budget buffer bulk bull bunch bundle burn burst
bury bush busted butter button buyer bytes cabin cable cake callback calm camel camera camp canal
candle candy canvas cap cape card care cargo carpet carry cart carve cash cast castle casual cat
catalog catch cave cell cent certify chain chair chalk champ chance change chaos charge charm
chart chase cheap cheat check cheek cheer cheese chef chess chest chew chicken chief child chip
chmod choice choke choose chop chunk cider cigar circle cite city civic civil claim clang clash
class clay clean clear clerk clever click cliff climb cling clip cloak clock clone close cloth
cloud clown club clue coach coal coast coat code codec coffee coin cold collar color colour column
comb come comedy comic comma commit compile compress compute cook cookie cookies cool copy coral
cord core cork corn corner cors cost couch cough could count couple course court cover cow crab
craft crane crawl crazy cream credit creek creep crew crime crisp crop cross crowd crown crude
cruel crush crypto csv cube cuda cup curl curry curse curve custom cute cycle dad daemon daily
dairy dance dang danger dare dark darn dash date dawn day dead deaf deal dealt dear debit debt
debug decay deck decode decrypt deed deep deer defer delay delta demand demo dense dental deploy
depth derby desk detached detail device devil dial diary dice diet digit dine dinner dip dipped
dirt dirty disc dish dive dizzy dock docs doctor dodge doll dolphin donor door dose dot dotfiles
double doubt dough dove dozen draft drag drain drama draw dream dress drift drill drink drive
driver drone drop dropped dropping drum dual duck dull dump dusk dust duty dwarf each eager eagle
early earn earth ease east easy eat echo edge edit eight elbow elder elect elite email ember empty
emulator encode encrypt endpoint enemy enjoy enter entry enum envy epoch equal erase erode error
essay even event evil exact exam excel exec exhausted exist exit expert explode explosion export extra fabric face
fact fade faint fair fairy faith fake fame family fancy farm fast fat fate fault favor fear feast
feed feel fence ferry fetch fever few ffmpeg fiber field fifth fifty fight file filesystem film
filter final find finder fine finger finish fire firefox firm firmware first fish fist five fix
flag flame flare flash flat flavor flesh flick flight fling flip float flood floor flour flow
flower fluid flush flute flutter focus fog fold folk follow font food fool foot force foreign
forest forge forget fork form formatter fort forum foul four fox frame framework fraud free fresh
fried friend front frontend frost fruit fry fuel full fun fund funny fur fury gain game gap garage
garden garlic gas gate gateway gauge gcc gear gene genre ghost giant gift girl git github give
glad glass glibc globe glory glove glow glue goal goat golang gold golf good goose gpu grab grace
grade gradle grain grand grant grape graph graphql grasp grass grave gravy great greed green greet
grep grey grid grief grill grin grip groom group grow grpc guard guess guest guide guilt guitar
gzip habit hadoop hair half hall hand handy happy harbor hard harsh hash haste hat hate haul have
hawk head header heal heap heapdump hear heart heat heavy hedge heel height hello helm helmet help
herb herd hero hibernate hide high hill hint hire hobby hold hole holiday hollow holy home honest
honey hood hook hope horn horror horse hose hosed hotel hour house html http human humor hunt
hurry hurt hut ice icon ide idea ideal idiom idle iframe image import indent index inner inode
input insect insert inside install integer intern invalid invite invoice ios iphone iron island
isolate issue ivory jacket jail jam janky jar java javascript jazz jeans jelly jenkins jet jewel
jitter job join joins joke journey joy json judge juice jump jungle junior jury keen keep kernel
kettle key keyboard keyword kick kicked kicks kid kill kind king kiss kit kitchen kite knee knife
knight knit knob knock knot label labor lack ladder lady lag laggy lake lamb lambda lamp lane
laptop large laser late latex laugh launch laundry law lawn lawyer layer layout lazy lead leaf
lean learn least leather lemon lend length lesson letter level lever liar libc library lid lie
life lift light like limb lime limp line linen link linker linter linux lion lip list listen liter
literal little live liver loader loaf loan lobby local locale locked lodge logger logic login logo
lonely long loop loose lord lose loss lost lot loud love low loyal luck lucky lunch lung lyric
machine macro mad magic magnet maid mail main major make makefile maker male malware manage mango
manual maple mapper march margin marine mark markdown market marry mask mass mast match mate math
matter mature maven maze meal mean meat medal media meet melon melt member memo mental mentor menu
mercy merge merit merry mess meta metal meter metric metro middleware might migrate mild mile milk
mill mind mine minor mint mirror miss mist mix mixer mobile mode model modem modest module mom
money monitor monkey mood moon moral motel moth mother motion motor mount mouse mouth move movie
mud mug multipart muscle museum music mutex myth nail naive naked name napkin narrow nasty nation
native nature near neat neck need needle nerve nest nested net never nginx nice niche night nine
noble node noise noisy noodle noon north nose note noun novel npm nuke nuked null nullable numpy
nurse nut nylon oak oasis oauth object ocean odd offer office offset often oil okay old olive
oncall once onion only onto open opencv openssl opera operand option oracle oral orange orbit
organ other ought ounce outer outfit outlook oven over overflow overlap owe own owner oxide oyster
pace pack package padding page paged pager pages paging pain paint pair palace palm pan pandas
panel pants paper parade parcel pardon parent park parse parser part partial party pass passive
past pasta paste patch path pause pave pay pdf peace peach peak pear pedal peel peer pen pencil
penny people pepper perfume permit pest pet phase phone photo phrase piano pick picnic picture
piece pig pile pill pillow pilot pin pine ping pinged pings pink pint pipe pitch pixel pizza place
plain plan plane planned plant plate play player plaza plea pledge plenty plot plug plugin plum
plus pocket poem poet point pointer poke poked polar pole polite pond pony pool poor pop popup
porch pork port portal pose post postman pot potato pound pour powder power praise pray prefetch
price pride prime prince print printer prior prism private prize probe profile profit promise
prompt proof proper protocol proud prove provider prune pub pull pulp pulse pump punch pupil
puppet pure purple purse push puzzle pycharm pytest python quack queen query quest queue quick
quiet quilt quit quite quiz quota quote rabbit race rack radar radio rail rails rain raise rally
ramp ranch random range rank rapid rare rat rate rather ratio raw razor reach react read readme
ready real realm rebel reboot recall receipt receiver recipe record recursion red redirect reef
refactor refer refund regex regret relax relay release released relic reload rely remedy remind
remote render rent repair repeat reply repo report request rescue reset resize resolver resort
rest restore retail retire return reveal reward rhyme rhythm rib ribbon rice rich ride ridge rifle
right rigid ring riot rise risk rival river road roar roast robot rock rocket role roll roof room
root rope rose roster rota rotate rough round route router row royal rub rubber ruby rude rug
rugby ruin rule rumor run runtime rural rush rust sad saddle safari safe sail saint salad salary
sale salmon salon salt sample sand sandbox satin sauce save saving scala scale scar scare scarf
scene scent scheduled schema scheme school science scoop scope score scout scrap scream screen
screw script scroll scroller sdk seal search season seat second secret seed seek seem segment
seize selenium sell semaphore send sender senior sense serial series serve server servlet session
settle seven sew sewer shade shader shadow shaft shake shallow shame shape share shark sharp shave
sheep sheet shelf shell shield shift shine ship shirt shock shoe shoot shop shore short shot
should shout show shower shrimp shrug shut shutdown shy sick side sidebar siege sight sign signal
silent silk silly silver simple sing singer single sink sip siren sister site six size skate
sketch skill skin skip skirt skull sky slack slam slap slate slave sleep sleeve slice slide slider
slight slim slip slope slot slow small smart smell smile smoke smooth snack snake snap snow soap
soccer social sock socket soda sofa soft soil solar sold sole solid solve some song soon sorry
sort soul sound soup sour south space spare spark speak spear special speech speed spell spend
spice spicy spider spike spiked spill spin spine spinner spirit spit splash split splunk spoil
spoon sport spot spray spread spring sprint sprite spy sqlite square squash stack staff stage
stain stair stake stale stall stamp stand star stare start starve stash state station statue stay
stderr stdin stdout steak steal steam steel steep steer stem step stick stiff still sting stir
stock stomach stone stool stop store storm story stove strap straw stream street stress stretch
strict strike string strip stripe stroke strong struct studio study stuff stupid style subject
submit subnet subquery suburb such sudden sudo suffix sugar suit sum summer summit sun super
supper supply sure surf surge swagger swap swarm swear sweat sweep sweet swell swift swim swing
switch sword symbol symlink sync syntax syrup table tackle tail tailor take tale talent talk tall
tame tank tap tape target task taste tattoo tax taxi tea teach team tear tease teeth tell temper
temple tempo ten tenant tend tender tennis tense tensor tent term terminal terror text textarea
thank that theft theme theory thick thief thin thing think third thirst this thorn though thread
threat three throat throne throw thumb ticket tide tidy tie tiger tight tile till timber time
timer tin tiny tip tire tired title toast tobacco today toe together toilet tomato tomcat tone
tongue tonight tool tooltip tooth top topic torch total touch tough tour toward towel tower town
toy trace track trade trail train trait transpile trap trash travel tray treat tree trend trial
tribe trick tried trigger trim trio trip troop trophy trouble truck true trunk trust truth try tub
tube tumor tuna tune tunnel tuple turkey turn tutor twice twin twist type typescript typo ubuntu
ugly uncle under undo unicode union unique unit unite unity unix unlock until unzip update upload
upper upsert upset urban urge usage use useful user usual utf utils vagrant valid validate valley
value valve van vapor variable vary vast vector vein vendor venue verb verbose verse very vest
veto video view villa vim vine violin virtual virus visa visit visual vital vivid vocal voice
volume vote vowel vue wage wagon waist wait waiter wake walk wall wallet want war ware warm warn
wash waste watch watchdog water wave wax weak wealth weapon wear weather web webapp webcam webpack
website websocket wedding weed week weigh weird well west wet whale what wheat wheel when where
which while whip whisper white whole whose wide widget widow width wife wifi wild will win wind
window windows wine wing winner winter wipe wire wise wish witch with wizard wolf woman wonder
wonky wood wool word work worker world worm worry worse worst worth would wound wrap wrapper wrist
write writer wrong xcode xml yaml yard yarn yeah year yeast yellow yesterday yield yoga young
youth zebra zero zinc zip zone zoo
`

// Korean words that are no typing mistakes although no case may have them.
const commonKorean = `
가게 가격 가족 감사 강아지 강의 개발자 건강 게시글 게임 결혼 계약 고객사 고양이 공부 과학 관리자
광고 그림 글꼴 글자 기획 끊김 날림 날씨 날아감 내일 노래 노트북 느려 느림 다이어트 담당 담당자
답변 댓글 도움 동영상 디자인 레시피 마케팅 맛집 먹통 멈춤 메일 면접 문법 문서 문자 반죽 밤중 방법
배송 버벅 버스 버튼 번역 병원 보고 보고서 부모 부탁 비교 비행기 빵집 뻗음 사람 사람들 사수 사용자
사진 삽질 새벽 색상 선생 설명 세금 수학 시장 시험 식당 신입 아기 아이 아침 아파트 야구 야근 약국
어제 엑셀 여행 역사 연봉 영수증 영어 영업 영화 예시 예제 오늘 요금 요리 요즘 운동 운영자 워드 은행
음식 음악 의미 의사 의자 이유 이직 인턴 일본어 자격증 자동차 저녁 전화 점심 정의 주말 주문 죽었
죽음 중국어 지하철 질문 집값 차이 채팅 책상 청구서 최고 최근 최악 추천 축구 출근 친구 커피 컴퓨터
쿠폰 택시 터졌 터짐 퇴근 튕김 팀장 파일 폴더 학교 학생 한국어 할인 핸드폰 협력사 호텔 화면 환불
회사 회의 휴가 휴대폰 휴일
`
