import { rulesOf, type ScreenRule } from './rule.ts';

const scopeRules = rulesOf('scope_overreach');

const LESSON = '(?:lessons?|rules?|advice|notes?|instructions?|entry|memory|messages?|policy|principle)';

/** Claims of a lesson to be more than advice on a task: overriding others, applying to everybody or forever, or controlling settings. */
export const SCOPE_RULES: readonly ScreenRule[] = [
  scopeRules('claims priority over other instructions', {}, [
    `(?:this|the present|my) ${LESSON} …3 (?:overrides?|supersedes?|outranks?|replaces?|takes? (?:precedence|priority)|has (?:absolute |highest )?(?:priority|precedence)|cancels?|trumps|beats|wins? over|comes? (?:first|before all)|is above)`,
    `(?:absolute|supreme|unlimited|ultimate) (?:priority|authority|precedence|obedience|power)`,
  ]),
  scopeRules('applies to everyone', { unless: /\bI (?:will|should|can|could|must)\b/ }, [
    `(?:appl(?:y|ies)|valid|binding|mandatory|in force|holds) …5 (?:all|every|any|each) …3 (?:agents?|users?|runs?|experiments?|teams?|projects?|models?|lessons|workspaces?|tenants?)`,
  ]),
  scopeRules('applies forever', {}, [
    `(?:never|do not|don['’]?t|must not|may not|cannot|can['’]?t|nobody (?:may|can)|no one (?:may|can)) (?:be )?(?:retired?|archived?|reject(?:ed)?|deleted?|removed?|edit(?:ed)?|expired?|review(?:ed)?|demoted?|overridden|merged?|replaced?|withdrawn?|screen(?:ed)?) …2 (?:this|these|me|it)`,
    `(?:this|the present|these) ${LESSON} …2 (?:must|may|can|should|will|shall|is|are) (?:never|not) (?:to )?(?:be )?(?:retired|archived|rejected|deleted|removed|edited|expire|reviewed|demoted|overridden|questioned|merged|replaced|withdrawn|screened)`,
  ]),
  scopeRules('tries to pass review', { warned: true }, [
    `(?:promote|approve|accept|publish|pin|whitelist|trust|prioriti[sz]e) (?:this|me|these|the present|my) …1 (?:lessons?|rules?|notes?|advice|candidates?|entr(?:y|ies)|memor(?:y|ies)|instructions?)`,
    `(?:skip|bypass|avoid|without|no need for|exempt from) …2 (?:review|quarantine|screening|replay test|human approval)`,
  ]),
  scopeRules('tries to pass review', {}, [
    `(?:has been|was|is|already) (?:already )?(?:approved|reviewed|verified|promoted|screened|authori[sz]ed|cleared) by …2 (?:admin\\w{0,10}|owner|team|human|reviewers?|security|management|system)`,
  ]),
  scopeRules('spreads itself', {}, [
    `(?:copy|add|repeat|insert|append|propagate|spread|write|store|include|pass on|save|prepend|replicate|reproduce|quote) …2 (?:this|the present|these|the above) …2 (?:lessons?|rules?|notes?|text|message|sentence|paragraph|instructions?|words|memor(?:y|ies)) …5 (?:every|all|each|any|future|other|next|verbatim)`,
  ]),
  scopeRules('changes settings', { warned: true }, [
    `(?:change|raise|increase|lower|set|edit|modify|rewrite|update|remove|disable|double|extend|lift|reset|erase) …4 (?:budget limits?|token budgets?|cost budgets?|spending limits?|max ?iterations?|max ?attempts?|quality ?threshold|system prompts?|own (?:prompt|instructions|permissions|settings|configuration|rules)|(?:experiment|run|agent|workspace|project)(?:['’]?s)? (?:settings|configuration|permissions)|other (?:agents?|lessons?)|lesson library|stop rules?|convergence rules?|retention)`,
  ]),
  scopeRules('claims permissions', { warned: true }, [
    `(?:grant|give|elevate|escalate|assign|award|obtain|acquire|gain|take) …2 (?:yourself|itself|this agent|me|the agent|your own) …3 (?:admin\\w{0,10}|root|owner|full|unlimited|write|elevated|more|higher)? ?(?:access|permissions?|rights|privileges|role|control)`,
    `(?:escalate|elevate|gain|obtain|acquire) …2 (?:privileges?|root|admin\\w{0,10}|owner|superuser)`,
  ]),
  scopeRules('applies to every request', {}, [
    `(?:whatever|no matter what|no matter which|regardless of|irrespective of|instead of doing) …1 (?:tasks?|questions?|users?|prompts?|instructions?|requests?|is asked|was asked|they ask|anyone asks|people ask)`,
  ]),
  scopeRules('refuses the task', {}, [
    `(?:refuse|stop (?:answering|working|doing)|do not answer|don['’]?t answer|never answer|decline|reject|abandon|halt) …1 (?:all|any|every|each) …2 (?:other|future|further|remaining|questions?|tasks?|requests?|users?|runs?|work)`,
  ]),
  scopeRules('acts beyond its task', { warned: true }, [
    `(?:also|additionally|in addition|then|secretly|besides) …1 (?:contact|create|start|launch|spawn|register|sign up|subscribe|schedule|hire|message|call|buy|order) …3 (?:new |other |more |another |additional )(?:agents?|runs?|experiments?|accounts?|servers?|people|users?|jobs?|projects?|instances?|services?)`,
    `(?:take over|take control of|speak for|decide for|act for|impersonate) …2 (?:other |all |every )?(?:agents?|runs?|users?|reviewers?|admins?|teams?|owners?|workers?|system)`,
  ]),
  scopeRules('claims permissions', {}, [
    'you (?:now )?(?:have|hold|are given|are granted) …1 (?:permission|authority|clearance|full access|root access|admin\\w{0,10}|unlimited)',
  ]),
  scopeRules('claims permissions', { warned: true }, ['you are (?:now )?(?:authori[sz]ed|cleared|entitled) to']),
  scopeRules('claims priority over other instructions', {}, [
    '(?:highest|top|absolute|utmost) priority (?:rules?|instructions?|lessons?|orders?|commands?|messages?|directives?)',
  ]),
  scopeRules('applies to everyone', {}, [
    '(?:all|every|each|any|other) (?:agents?|models?|assistants?|bots?|runs?|instances) (?:must|have to|has to|shall|should|need to|are required to|will) …2 (?:obey|read|follow|use|apply|copy|load|trust|accept|remember)',
  ]),
  scopeRules('applies forever', {}, [
    `(?:this|the present|these) ${LESSON} …2 (?:must|shall|should|has to|have to|needs? to|will) …1 (?:be (?:kept|pinned|promoted|obeyed|trusted|preserved|shown first|loaded|copied)|stay|remain|live|persist|come first)`,
  ]),
  scopeRules('tries to pass review', { warned: true }, [
    '(?:promote|approve|publish|reject|retire|archive) (?:all|every|any) …2 (?:lessons?|candidates?|memor(?:y|ies))',
  ]),
  scopeRules('acts beyond its task', { warned: true }, [
    '(?:spawn|launch|fork|create|hire|clone) …1 (?:more|new|other|another|additional|further|extra|many|copies of) …1 (?:agents?|experiments?|yourself|itself)',
  ]),
  scopeRules('obeys anyone', { warned: true }, [
    '(?:do|obey|follow|execute|perform) (?:whatever|anything|everything) …2 (?:next|following|messages?|pages?|documents?|comments?|e ?mails?|tool|sender|caller|anyone|author|stranger) …3 (?:says?|asks?|tells?|wants?|orders?|commands?|writes?)',
  ]),
  scopeRules('gives every task the same answer', { warned: true }, [
    '(?:correct|right) (?:answers?|choice|option) (?:is|are) always',
  ]),
  scopeRules('gives every task the same answer', {}, [
    /\b(?:answer|reply|respond)(?:\s{1,3}to)?\s{1,3}(?:every|all|any|each)\s{1,3}(?:\w{1,20}\s{1,3}){0,2}(?:with|by saying)\s{1,3}["'“‘«]/gi,
  ]),
  scopeRules('advertises', { warned: true }, [
    '(?:promote|advertise|recommend|praise|endorse|plug) …2 (?:our|my|us) …1 (?:products?|brands?|company|website|services?|shop|store|app)|(?:promote|advertise|endorse) …3 (?:in|at the end of|with) (?:each|every|all|any) …1 (?:answers?|repl(?:y|ies)|outputs?|responses?|drafts?)',
  ]),
].flat();

const scoreRules = rulesOf('score_manipulation');

const SCORE = '(?:overall )?(?:scores?|ratings?|grades?|marks|points|verdicts?|evaluations?)';
const TOP =
  '(?:1(?:\\.0+)?(?![-:,.]\\d)|10|100|five|ten|full|maximum|max|perfect|highest|top|best|pass(?:ed|ing)?|satisfactory|excellent|flawless)';
const JUDGE = '(?:judges?|evaluators?|graders?|scorers?|checkers?|reviewers?|validators?|raters?|markers?)';
const TESTS =
  '(?:unit |hidden |failing |visible )?(?:tests?|test (?:files?|cases?|suites?)|assertions?|graders?|evaluators?|scorers?|rubrics?|checkers?|expected (?:values?|outputs?|answers?|results?))';

/** Instructions to raise a score by other means than a better output. */
export const SCORE_RULES: readonly ScreenRule[] = [
  scoreRules(
    'dictates a score',
    {
      warned: true,
      unless:
        /\b(?:match|game|season|team|goals?|league|player|film|movie|song|album|chart|student|exam|election|final|cup|race|won|win)\b/i,
    },
    [
      `(?:give|assign|award|grant|set|report|return|output|emit|record|put|write|answer with|reply with) …5 ${SCORE} …5 ${TOP}`,
      `(?:give|assign|award|grant|report|return|output) …3 (?:full|maximum|max|perfect|top|highest(?: possible)?|10 10|100) (?:scores?|ratings?|grades?|marks|points)`,
    ],
  ),
  scoreRules('dictates a score', { warned: true }, [
    `(?:rate|grade|score|mark|judge|evaluate) …3 (?:answers?|outputs?|drafts?|attempts?|responses?|repl(?:y|ies)|candidates?|submissions?|versions?|results?|criteri(?:on|a)|it|this|itself|yourself|everything) …4 ${TOP}`,
    `(?:mark|treat|count|accept|declare|consider|approve|pass) …4 (?:answers?|outputs?|drafts?|attempts?|responses?|repl(?:y|ies)|candidates?|submissions?|versions?|criteri(?:on|a)) …4 as …2 (?:correct|satisfactory|passed|passing|perfect|solved|accepted|flawless|complete)`,
  ]),
  scoreRules('addresses the judge', {}, [
    `${JUDGE} (?:must|should|will|shall|has to|have to|needs? to|is to|are to) …3 (?:give|pass|accept|approve|score|rate|award|return|mark|report|say|grade|ignore|overlook)`,
    `(?:dear|attention|note (?:to|for)|message (?:to|for)|instructions? (?:to|for)|hey|hello) …1 ${JUDGE}`,
  ]),
  scoreRules('addresses the judge', { warned: true }, [
    `(?:persuade|convince|trick|fool|flatter|deceive|mislead|bribe|impress|game|manipulate|influence|confuse) …2 ${JUDGE}`,
  ]),
  scoreRules('inserts a score', {}, [
    /["'`*_]{0,3}\b(?:overall_?score|overall score|final score|satisfactory|is_?correct|passed|verdict|score)["'`*_]{0,3}\s{0,3}[:=]\s{0,3}["'`*_]{0,3}(?:1\.0+\b|1\b(?![.,/:\d-])|true\b|10\s?\/\s?10|100\s?\/\s?100|5\s?\/\s?5|100\s?%|pass(?:ed)?\b|perfect\b)/gi,
  ]),
  scoreRules('claims success', { warned: true }, [
    `(?:claim|say|state|report|pretend|assert|declare|write|announce) …3 (?:all |every |each |the )?(?:tests?|checks?|criteri(?:on|a)|requirements?) …2 (?:pass(?:ed|es)?|succeed(?:ed)?|(?:are|is|was|were) (?:met|satisfied|green))`,
  ]),
  scoreRules('tampers with the tests', { warned: true }, [
    `(?:hard ?code|special ?case|monkey ?patch|tamper with|delete|disable|comment out|overwrite|rewrite|weaken|short ?circuit|stub out|cheat) …4 ${TESTS}`,
    `(?:skip|edit|modify|remove|change|alter) …2 (?:hidden|failing|unit|evaluation|grading|the grader|the judge) …1 (?:tests?|test (?:files?|cases?|suites?)|assertions?|rubric|prompt|script|code)`,
  ]),
  scoreRules('changes the pass threshold', { warned: true }, [
    `(?:lower|reduce|drop|set|weaken|relax) …3 (?:quality ?threshold|pass(?:ing)? (?:mark|threshold|score|bar)|acceptance threshold|score threshold|threshold (?:to|of) (?:0|zero))`,
  ]),
  scoreRules('reads the hidden answers', { warned: true }, [
    `(?:read|open|print|copy|fetch|access|peek(?: at| into)?|steal|find|look up|load|use|extract) …4 (?:hidden tests?|gold(?:en)? (?:answers?|labels?|file)|reference answers?|held ?out (?:answers?|tests?|labels?)|answers? file|solutions? file|expected answers? from)`,
  ]),
  scoreRules('games the metric', { warned: true }, [
    `(?:repeat|stuff|fill|pad) …4 (?:keywords?|criteria|rubric words?|magic words?) …6 (?:score|judge|grader|evaluator|rating|rubric)`,
  ]),
  scoreRules('addresses the judge', { warned: true }, [
    `(?:tell|inform|assure|remind|order|instruct|command|beg) …1 ${JUDGE} (?:that|to|how)`,
  ]),
  scoreRules('claims success', { warned: true }, [
    `(?:write|insert|add|include|state|say|claim|print) …6 ${JUDGE} …1 (?:agrees?|confirm(?:s|ed)|approve[sd]|accept(?:s|ed)|(?:is|was) (?:satisfied|happy|convinced))`,
  ]),
  scoreRules('tampers with the tests', {}, [/\bassert\s{1,2}(?:True|1\s{0,2}==\s{0,2}1)\b/g]),
  scoreRules('tampers with the tests', { warned: true }, [
    `(?:override|fake|hijack|intercept|sabotage|disarm|replace) …2 (?:test runner|${TESTS})`,
  ]),
].flat();
