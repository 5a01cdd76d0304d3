/**
 * Words of computing and office work that are used for each other, one group a line; a term of several words is joined by `_`. They are
 * close enough to look for one by another, not always the same.
 */
export const TECHNICAL_SYNONYMS = `
abbreviation acronym
ability capability feature
abort cancel terminate kill
abstract summary digest overview condense
access permission privilege right
account user login
accuracy correctness precision
address location
admin administrator
agent bot assistant
aggregate group total sum
aggregation aggregate grouping
agreement contract
alarm alert notification notify monitoring
algorithm procedure
allowed permitted
analytics statistics metrics
anchor link
annotation label comment
answer reply response
api endpoint interface service
app application program
approval confirmation consent permission
approve confirm accept
archive backup
argument parameter option
array list collection
article post blog
assert assertion expect
asynchronous async concurrent
attachment file
attempt try
attorney lawyer legal law
authenticate authentication auth login signature credential
authorization permission access
average mean
backup restore recovery
batch bulk
begin start
benchmark performance
bill invoice payment billing
billing charge invoice payment
binary executable
bot crawler spider scraper
box field
branch fork
browser chrome firefox
budget cost
bug defect error fault issue
build compile
button control
buyer customer client
cache memoize stale
calculate compute calculation arithmetic
calculation arithmetic computation sum
callback webhook hook
capital uppercase
caption label title
car vehicle
category class group label
cell field
change edit modify update
character letter
charset encoding utf
chart graph diagram plot
check verify validate test
chief main
child kid
children kids
choice option
circular recursive
clause condition
cleanup delete remove
clock time
clone copy duplicate
cloud hosting
cluster group
code program source
color colour
column field attribute
command instruction
commit push git
company firm business
compare difference
compress zip
concise brief short
concurrency parallel thread
condense shorten summarize
config configuration setting
connection socket network
constant literal
container docker pod
convert transform translate
cooking recipe
correct right
correlation causation
cost price money
crash failure exception
create make add
credential password token key secret
cron schedule
csv spreadsheet excel
currency euro dollar money
data information
database sql db table
dataset data table
date day timestamp
daylight summertime
dead_lock lock
deadline timeout due
deadlock lock
debug diagnose
decimal fraction
dedupe duplicate
deduplicate duplicate
default fallback
delay wait latency sleep
delete remove erase drop
delimiter separator comma
dependency package library module
deploy release rollout
deployment release rollout
deprecated obsolete
description text
develop build
device hardware
dialog modal popup window
dictionary map
diff difference
digit number
directory folder
disk storage
division denominator
doc document documentation
docker container image
doctor physician
document file
documentation manual guide
domain host
download fetch retrieve
duplicate repeated
efficient fast
email mail message
empty blank null missing
encrypt hash cipher
endpoint api route
engine motor
enterprise company
entry record item row
environment env
equipment machine device
error failure exception fault bug
escalate human handover
escape quote sanitize
estimate guess estimation
evaluate score judge
event message
example sample
execute run
expire stale
export save
extract parse
fail break crash
failure outage crash error
fast quick speed
feedback answer reply
field column input
filter where
find search lookup
finish end complete
fix repair mend
flag switch
flaky unstable intermittent
font typeface
foreign abroad
format layout
forum discussion
framework library
function method
generate create produce
get fetch read
git commit branch repository
global shared
gpu graphics
graphic image picture
handle process
hang freeze stuck block
hash digest
heading title headline
help support
hint tip clue
history log
host server website
hostname host
html page markup web
http request web
huge large big
human person people
icon symbol
identifier id key
illegal invalid
image picture photo
implement write
import load
improve better
increment increase
index key
infinite endless
input parameter
install setup
instance object
instruction prompt
integer number
interrupt cancel
invalid wrong
issue ticket problem complaint
item entry record element
job worker task
json payload body
jsonl json
keyboard focus
label caption tag
lag latency delay
language locale
laptop computer
latency slow delay
launch start
length size
limit quota maximum
link url
linter lint
local offline
location place
lock mutex
log trace
logging log
loop iterate repeat
machine computer
maintenance repair
margin confidence
markdown md
math arithmetic
measure unit
medicine drug
meeting appointment
memory ram
merge combine join
metric measure
microservice service
minimal smallest
missing absent null lost
mistake error
mobile phone
mock stub fake
model llm
monitor observe alert
move transfer
mutable global changing
mutate change
name title
newline line_break
news report
nil null
normalise normalize
normalize canonicalize
note comment
number figure
offboarding leave
onboarding setup
operation action
optimise optimize
optimize speed performance
orphan dangling
os system
outage downtime failure
outdated stale
outlier extreme
output result
overflow exceed
package parcel
page site website web
paginate page
pagination page
parallel concurrent
param parameter
parse read decode
parser parse
passage context paragraph text
password secret credential passphrase
patch fix
path route
pause wait
performance speed slow fast latency memory
pipeline workflow
placeholder hint
plan strategy
plugin extension
poll retry
pool cache
postgres sql database
power battery energy
prevent avoid
primary main
procedure step
process job
producer queue
product item
production live
profit gain
program process software
project repository
proof evidence
proxy gateway
pupil student
purchase order buy
puppy dog
python script
quality score
query search
query sql
question ask
queue buffer
quote cite
random arbitrary
ranking sort order
rate frequency
rate_limit throttle
read load
recipe dish
recover restore
refactor restructure
reference source
reference cite
refund reimburse
regex regular_expression
regression bug
reject refuse
release version deploy
remote network
rename change
render display
repeat retry
replacement spare
repo repository
report summary
request call
reset clear
resolution size
restart reboot
retry again
return yield
review feedback
revise edit
rewrite refactor
risk danger
robot bot
role permission
rollback undo
rule policy
save store
scale convert
schedule calendar
schema migration
scrape request crawl
scraping scraper
screen display
script command
secure safe
security attack
select choose
send transmit
sensor device
sentence phrase
sequence order
serialize encode
session login
shell terminal
ship deliver
shop store
shutdown exit terminate
signin login
site host
snippet excerpt
sort order rank
source origin
specification test
spec test
staff employee
stage step
stall hang
standard norm
statement claim
statement query
statistics figure
stderr error
stop end
story tale
stream pipe
string text
stylesheet css
submit send
subroutine function
summarize summary
survey poll sample
sync synchronize
syntax grammar
system platform
teacher tutor student
teach learn
team group
template pattern
term word
throttle 429
timezone utc
tool function
traffic load
transaction commit
translation translate
travel trip
trip journey traveller route
tune adjust
type kind
typo misspelling
unicode utf
unique distinct
upgrade update
upload send
user person
validation check
value number
variable parameter
vendor supplier
verbatim exact
video film
virtual simulated
visitor guest
vulnerability attack
warning alert
widget control
workload job
write compose draft
wrong incorrect
xss script
yaml config
`;
