"""How common a word is in English at large, by its stem: three classes, the commonest first.

At least one word in 3,000 of the web is of the first class, one in 8,100 of the second, one in 22,000 of
the third. In a few dozen descriptions it is chance how rare such a word is. Written by
`python -m bench.common_words`, which says where the counts come from.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

CLASSES = (
    """
about access account action activ add addit address advanc advertis after all also am american ani applic
archiv area art articl ask associ author avail b back base becaus befor best between big black blog board
book both box build busi buy c call car card care case categori center chang check children citi class click
code collect colleg come comment communiti compani compar complet comput condit contact content continu
control copyright cost counti countri cours creat credit current custom data date day de depart descript
design detail develop differ digit direct directori discuss document down download dure dvd e each ebay edit
educ effect electron email end engin even event f famili featur file find first follow food form forum found
free friend full function g galleri game general get gift girl give go good govern great group guid h health
help here high histori home hotel hour hous imag import includ index industri info inform insur interest
internat internet issu item jan januari job john join know l last law learn level life like line link list
live local locat long look love made mail main make manag mani map market may mean media meet member messag
model month more most movi much music n name nation natur need network new news next north not note now
number o offer offic old one onli onlin open oper option order other out over own p page park part parti
peopl per perform person phone photo pictur place plan play pleas pm point polici post power present
previous price print privaci privat problem process product profil program project properti provid public
publish question quot r rate read real receiv recent record refer region regist relat releas repli report
requir research reserv resourc respons result return review right room run said sale same save say school
scienc search second section secur see select seller send servic set sex share ship shop show sign sinc site
size small softwar sourc south special sport standard start state stock store stori student studi subject
support system tabl take team technolog teen term test text thing think thread three through time titl today
tool top topic total train travel tri two type uk under unit universiti up updat usa use user v valu version
video view visit w want water way web websit week well white window within without women work world write x
year
    """,
    """
abl abov accept accessori accommod accord achiev across act actual ad administr adult affili africa again
against age agenc agent ago agre agreement aid air airport al album allow along alreadi altern although
alway america among amount analysi angel anim announc annual anoth answer anyon anyth apart appear appli
approach appropri approv apr april around artist assess assist auction audio aug august australia auto
averag award away babi bad band bank bar basic batteri bay beach beauti becom bed begin believ below benefit
better bid bill bit block blue bodi boy brand break bring brows bush button ca cabl calcul calendar
california came camera canada capit career carri cart cash casino caus cd cell centr central certain certif
challeng channel chapter charact charg chat cheap child china choic choos christian church claim classic
clean clear client close cloth club co color com combin command commerci commiss commit committe common
communic competit compon concern confer configur connect consid constitut construct consult consum contain
contract contribut convert cool copi corpor correct council court cover critic cross cultur cut daili
databas david deal death dec decemb decis defin definit degre deliveri depend describ determin devic die
director discount diseas display distribut district divis dog dollar domain done door doubl drive driver
drug due earli easi east econom editor effort either elect electr element els employ employe en enabl energi
english enjoy enough ensur enter enterpris entertain entri environ environment equip error establish estat
estim et eur europ european evalu ever everi everyth exampl excel except exchang execut exist expect experi
explor express extens extra eye face facil fact factor fail fair fall fan faq far fast favorit fax feb
februari feder fee feed feedback feel femal few field figur film filter final financ financi fine fire firm
fish fit five fix flash florida flower focus forc format foundat four frame franc french fri friday front
fun fund further futur garden gay generat germani given glass global goal god gold golf googl got grade
grant graphic green ground growth guarante guest guy half hand handl happen hard hardwar head hear heart
held higher hill hit hold holiday homepag hope hors hospit host hot howev html human id idea identifi ii
impact implement improv incom increas independ india indic individu initi inn insid instal institut instruct
instrument integr interact invest involv island j jame japan jewelri journal jul juli jun june k keep key
keyword kid kind king kingdom kit knowledg known la label lake land languag larg later latest lead leader
least leav left legal length lesbian less let letter librari licens light limit linux listen littl load loan
log login logo london loss lost lot low lower lyric machin magazin maintain major male man manufactur mar
march mark master match materi matter matur measur medic medicin memori men menu method michael microsoft
mile million mind minut miss mobil mode modifi modul mon monday money monitor mortgag mountain move navig
near necessari net never newslett nice night non none normal noth notic nov novemb nude ny object observ
obtain oct octob offici often oh oil onc opinion opportun organiz origin outdoor overal owner pack packag
paper parent particip particular partner pass password past patient paul pay payment pc pdf percent perfect
period physic pic pick plant player plus poker polit popul popular port posit possibl poster potenti practic
prefer prepar presid press prevent printer pro probabl procedur produc profession programm progress promot
propos protect purchas purpos put q qualiti quick race radio rang rank rather reach reader realli reason
recommend red reduc regard registr regul regular relationship remain rememb remov rental replac repres
request resid respect restaur retail ring risk river road robert rock role round rss rule safeti sampl san
schedul score screen season seem seen self sell sep separ septemb seri serv server session sever shirt shoe
short side signific silver similar simpl singl skill social societi solut someon someth song soni soon sort
sound space specif specifi speed sponsor spring st staff stand star statement station statist status stay
step still stop storag strategi street strong structur stuff style submit subscrib success suggest suit
summari sun sunday suppli sure survey tag taken talk target tax teach teacher tech technic tell texa thank
third though thought ticket tip togeth tour town toy track trade trademark tradit transfer transport
treatment tree true trust turn tv u understand union until upon url usr usual util vacat valid various
vehicl via voic volum vote wait walk wall war warn washington watch weather wed weight welcom west western
whether whole wide william win wireless wish word written y yahoo yellow yes yet york young z
    """,
    """
aa ab abil absolut abstract abus ac academ academi acc accid accur accuraci acid acquir actor adam adapt
adjust admin admiss adob adopt advantag adventur advic advis advisor advisori affair affect afford african
agenda agricultur ahead aim airlin alabama alaska alcohol alert algorithm alloc almost alon alpha amateur
amaz amazon amend andrew ann annot anonym anti antiqu anyway ap apparel appeal appl applianc appoint appreci
approxim ar arab architectur argument arizona arm armi arrang array arriv asia asian aspect assembl asset
assign assum assur athlet atlanta atom attach attack attempt attend attent attorney attract attribut au
audienc audit austin australian austria authent autom automat automot ave avenu avg avoid awar az babe
background backup bag balanc ball bargain basebal basi basket basketbal bass bath battl bbc bc bear beat
becam bedroom began behavior behind bell bet beta beyond bibl bike billion bin bind bio biographi biolog
bird birth birthday blond blood blow boat bob bond bondag bonus boob bookmark boot border born boston bottl
bottom bought bound bowl brain branch brazil breakfast breast brian bridg brief british broadcast broken
brother brought brown browser buddi budget bug built burn bus buyer byte cach cam camp campaign campus
canadian cancel cancer candid canon cap capabl capac cape captur carolina carrier cartoon cartridg cast cat
catalog catch cc cds celebr cent centuri certifi ch chain chair chairman chamber chanc characterist charl
chart cheat checkout chemic chicago chief chines chip chris christ christma circl circuit cisco citizen
civil clark classifi climat clinic clip clock cm cnet coach coast coat coffe coin cold collabor colorado
colour columbia column comfort comic commerc compact comparison compat compens compet compil complaint
complex complianc composit comprehens con concentr concept concert conclus conduct confid confirm conflict
congress consequ conserv consider consist consolid constant contemporari contest context contractor conveni
convent convers cook cooki cooper coordin core corner correspond counsel count counter coupl coverag craft
cream creation creativ creek crime crimin criteria cruis crystal ct cup currenc cvs cycl da dakota dalla
damag dan danc danger daniel dark daughter dave davi dc dead dealer debat debt decid declar decor decreas
dedic deep default defend defens del delay delet deliv dell delta demand democrat demonstr deni deposit
depth deriv des desir desk desktop despit destin detect dev devel di diamond dictionari diego diet diff
difficult dildo dimens dine dinner disabl disc disclaim discov dish disk disney disord distanc divers dj doc
doctor doll domest domin donat dot dr draft draw dream dress dri drink drop du dual duti dvds dynam earlier
earn earth easier easili eastern eat economi ed edg editori edward effici eg eight el elig elimin em
emergenc emot empir empti encourag enforc engag england enhanc enlarg enrol entir entiti episod equal equiti
equival eric es especi essenti est etc ethic eu euro evening everyon evid evil ex exact examin exceed excit
exclud exclus exercis exhibit exit expand expens experienc expert explain export exposur extend extern
extract extrem fabric factori faculti failur faith fals famous fantasi farm fashion faster fat father
favourit fear feet felt festiv fi fiction fight fill finger finish fl flag flat flexibl fli flight floor
flow folder folk font foot footbal ford forecast foreign forest forget forgot formal former fort forward fr
framework francisco frank freedom frequenc frequent fresh fruit ft fuel fulli funni furnitur ga gain gambl
gamma gas gate gather gave gb gear gender gene genet genr georg georgia german gmt goe golden gone graduat
grand grati greater grow guard guess guidelin guitar gun hair hall happi hardcor harri hat hate hawaii
header headlin healthcar healthi heard heat heavi height hello henri hey hi hide highest highlight highway
himself hip hire histor holder hole hong honor household houston hp hr huge hundr hunt hunter ibm ice icon
ideal ident ie ignor iii il ill illinoi illustr im imagin immedi impress inc incest inch incorpor inde
indian indiana infect influenc infrastructur injuri ink innov input insert inspect inspir instanc instant
instead int intel intellig intend intens intent interfac interior internal interpret interview introduc
introduct investig investor invit iowa ip ipod iraq ireland iron isbn israel itali italian iv jack jacket
jackson japanes java jazz jean jersey jesus jim joe johnson joint jone joseph judg jump junior justic kansa
kb kelli kentucki kept keyboard kill kiss kitchen km knew kong korea lab labor laboratori lack ladi landscap
lane laptop larger largest las laser late latin latina launch lawyer layer lcd le leadership leagu leas
leather lectur led lee leg legisl len les lesson liabil lib liber lie lift lingeri liquid literatur llc lock
lodg logic longer loop lord los lose loui lowest ltd luxuri ma mac magic magnet mainten maker manner manual
mari marin marri marriag martin maryland mass massachusett math mathemat matrix matt max maximum mayb mb md
mechan medium membership mental mention merchant met metal meter mexico mg mi miami michigan mid middl mike
militari mill miller min mine mini minimum minist ministri minnesota minor mirror miscellan mission missouri
mix mm mo moder modern mom moment moon morn mother motion motor motorola mount mous movement mr ms msn mt
multi multimedia multipl muscl museum myself mysteri na nake nativ nc ne nearbi negat negoti neighborhood
netherland newspap nine nj node nois nokia northern notebook notif notifi novel nt nuclear null numer nurs
nutrit oblig obvious occup occur ocean ohio ok oklahoma older ontario op optic optim oral orang oregon
organis orient os otherwis outcom outlet output outsid overview oz pa pacif pad paid pain paint pair palm
panason panel paperback paragraph paramet pari partnership patch patent path pattern paypal peac peak
pennsylvania percentag perhap permalink perman permiss permit personnel perspect pet peter pharmaci phase
philadelphia philosophi phoenix photograph photographi php physician piec pilot pin pink plain planet
plastic plate platform plot plug po pocket polic poll pool poor pop portabl portal portfolio portion postal
pound pp pr pre precis predict premier premium prescript presenc preserv pressur pretti prev preview primari
prime princip principl prior prioriti prison proceed processor professor profit prohibit promis proof proper
protein protocol prove provinc provis pst psycholog pub pubm pull pump pure push qualifi quantiti quarter
queen queri quit rain rais ram random rape rapid rare ratio ray rd reaction readi realiti realiz recip
recogn recoveri recreat recruit reduct refin reflect reform relev reliabl relief religi religion remark
remot renew rent repair repeat republ residenti resist resolut resort respond rest restor restrict resum
retir retriev reveal revenu revers revis rich richard ride rington rise roll rom root rose rout router row
royal rs rural russia russian rw sa safe saint salari salt samsung santa sat satellit satisfi saturday saw
sc scale scan scene scheme scientif scotland scott script sd se sea seal seat seattl sec secondari secret
secretari sector seed seek seminar senat senior sens sensit sent sequenc serial serious seven sexual shape
sharp sheet shemal shift shoot shopper shot shower shown signal signatur simpli simul singapor sister sit
sitemap situat six ski skin skip sky sleep slide slight slot slow smart smith smoke snow soccer soft soil
sold solid solv sometim son sorri soul southern spa spain spam spanish speak speaker spec speci specialist
specialti speech spend spent spi spirit spiritu spot spread squar src stage stamp stat static steel stephen
steve stick stone storm straight strateg stream strength stress strike string strip studio sub submiss
subscript substanc suck suffer suffici summer super supplement supplier suppos surfac surgeri surpris
surround surviv sustain sweet swim switch symbol tab tank tape task tast taylor tea techniqu tel telephon
televis temperatur templat ten tennesse termin territori terror testimoni th theater theatr theme themselv
theori therapi therefor thoma thousand threat throughout throw thu thursday thus tie tire told toll tom tone
toni took toronto touch tourism tournament toward tower trackback traffic trail trailer transact transform
transit translat transmiss treat trend trial trip tripadvisor troubl truck truth tube tue tuesday tune
turkey tutori twin tx typic ultim un uniqu universal unknown unless upgrad upload upper upskirt urban usb
usd usernam utah va valley van var vari variabl varieti vega vendor verifi vhs vice victim victoria villa
villag vintag violat violenc virgin virginia virtual virus vision visitor visual void vol volunt voyeur vs
wa wale wallpap warm warranti wast wave weapon wear weblog webmast wednesday weekend went whatev wheel
wholesal wi wife wild wind wine wing winner winter wire wisconsin wit woman won wonder wood worker workshop
worldwid worth wrap writer wrong wrote www xbox xml xp yard yesterday yourself youth zealand zero zip zone
zoom
    """,
)


@cache
def common_terms() -> Mapping[str, int]:
    """The class of each common term, from 0."""
    return {term: place for place, each in enumerate(CLASSES) for term in each.split()}
