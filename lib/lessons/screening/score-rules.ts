import { phrase, rulesOf, type ScreenRule } from './rule.ts';

const scoreRule = rulesOf('score_manipulation');

const SCORE = '(?:overall )?(?:scores?|ratings?|grades?|marks|points|verdicts?|evaluations?)';
const TOP =
  '(?:1(?:\\.0+)?(?![-:,.]\\d)|10|100|five|ten|full|maximum|max|perfect|highest|top|best|pass(?:ed|ing)?|satisfactory|excellent|flawless)';
const JUDGE = '(?:judges?|evaluators?|graders?|scorers?|checkers?|reviewers?|validators?|raters?|markers?)';
const TESTS =
  '(?:unit |hidden |failing |visible )?(?:tests?|test (?:files?|cases?|suites?)|assertions?|graders?|evaluators?|scorers?|rubrics?|checkers?|expected (?:values?|outputs?|answers?|results?))';

/** Instructions to raise a score by other means than a better output. */
export const SCORE_RULES: readonly ScreenRule[] = [
  scoreRule(
    'dictates a score',
    phrase(
      `(?:give|assign|award|grant|set|report|return|output|emit|record|put|write|answer with|reply with) …5 ${SCORE} …5 ${TOP}`,
    ),
    {
      warned: true,
      unless:
        /\b(?:match|game|season|team|goals?|league|player|film|movie|song|album|chart|student|exam|election|final|cup|race|won|win)\b/i,
    },
  ),
  scoreRule(
    'dictates a score',
    phrase(
      `(?:give|assign|award|grant|report|return|output) …3 (?:full|maximum|max|perfect|top|highest(?: possible)?|10 10|100) (?:scores?|ratings?|grades?|marks|points)`,
    ),
    {
      warned: true,
      unless:
        /\b(?:match|game|season|team|goals?|league|player|film|movie|song|album|chart|student|exam|election|final|cup|race|won|win)\b/i,
    },
  ),
  scoreRule(
    'dictates a score',
    phrase(
      `(?:rate|grade|score|mark|judge|evaluate) …3 (?:answers?|outputs?|drafts?|attempts?|responses?|repl(?:y|ies)|candidates?|submissions?|versions?|results?|criteri(?:on|a)|it|this|itself|yourself|everything) …4 ${TOP}`,
    ),
    { warned: true },
  ),
  scoreRule(
    'dictates a score',
    phrase(
      `(?:mark|treat|count|accept|declare|consider|approve|pass) …4 (?:answers?|outputs?|drafts?|attempts?|responses?|repl(?:y|ies)|candidates?|submissions?|versions?|criteri(?:on|a)) …4 as …2 (?:correct|satisfactory|passed|passing|perfect|solved|accepted|flawless|complete)`,
    ),
    { warned: true },
  ),
  scoreRule(
    'speaks to the judge',
    phrase(
      `${JUDGE} (?:must|should|will|shall|has to|have to|needs? to|is to|are to) …3 (?:give|pass|accept|approve|score|rate|award|return|mark|report|say|grade|ignore|overlook)`,
    ),
  ),
  scoreRule(
    'speaks to the judge',
    phrase(`(?:dear|attention|note (?:to|for)|message (?:to|for)|instructions? (?:to|for)|hey|hello) …1 ${JUDGE}`),
  ),
  scoreRule(
    'speaks to the judge',
    phrase(
      `(?:persuade|convince|trick|fool|flatter|deceive|mislead|bribe|impress|game|manipulate|influence|confuse) …2 ${JUDGE}`,
    ),
    { warned: true },
  ),
  scoreRule(
    'plants a score',
    /["'`*_]{0,3}\b(?:overall_?score|overall score|final score|satisfactory|is_?correct|passed|verdict|score)["'`*_]{0,3}\s{0,3}[:=]\s{0,3}["'`*_]{0,3}(?:1\.0+\b|1\b(?![.,/:\d-])|true\b|10\s?\/\s?10|100\s?\/\s?100|5\s?\/\s?5|100\s?%|pass(?:ed)?\b|perfect\b)/gi,
  ),
  scoreRule(
    'claims success',
    phrase(
      `(?:claim|say|state|report|pretend|assert|declare|write|announce) …3 (?:all |every |each |the )?(?:tests?|checks?|criteri(?:on|a)|requirements?) …2 (?:pass(?:ed|es)?|succeed(?:ed)?|(?:are|is|was|were) (?:met|satisfied|green))`,
    ),
    { warned: true },
  ),
  scoreRule(
    'tampers with the tests',
    phrase(
      `(?:hard ?code|special ?case|monkey ?patch|tamper with|delete|disable|comment out|overwrite|rewrite|weaken|short ?circuit|stub out|cheat) …4 ${TESTS}`,
    ),
    { warned: true },
  ),
  scoreRule(
    'tampers with the tests',
    phrase(
      `(?:skip|edit|modify|remove|change|alter) …2 (?:hidden|failing|unit|evaluation|grading|the grader|the judge) …1 (?:tests?|test (?:files?|cases?|suites?)|assertions?|rubric|prompt|script|code)`,
    ),
    { warned: true },
  ),
  scoreRule(
    'tampers with the bar',
    phrase(
      `(?:lower|reduce|drop|set|weaken|relax) …3 (?:quality ?threshold|pass(?:ing)? (?:mark|threshold|score|bar)|acceptance threshold|score threshold|threshold (?:to|of) (?:0|zero))`,
    ),
    { warned: true },
  ),
  scoreRule(
    'reads the hidden answers',
    phrase(
      `(?:read|open|print|copy|fetch|access|peek(?: at| into)?|steal|find|look up|load|use|extract) …4 (?:hidden tests?|gold(?:en)? (?:answers?|labels?|file)|reference answers?|held ?out (?:answers?|tests?|labels?)|answers? file|solutions? file|expected answers? from)`,
    ),
    { warned: true },
  ),
  scoreRule(
    'games the measure',
    phrase(
      `(?:repeat|stuff|fill|pad) …4 (?:keywords?|criteria|rubric words?|magic words?) …6 (?:score|judge|grader|evaluator|rating|rubric)`,
    ),
    { warned: true },
  ),
  scoreRule(
    'speaks to the judge',
    phrase(`(?:tell|inform|assure|remind|order|instruct|command|beg) …1 ${JUDGE} (?:that|to|how)`),
    { warned: true },
  ),
  scoreRule(
    'claims success',
    phrase(
      `(?:write|insert|add|include|state|say|claim|print) …6 ${JUDGE} …1 (?:agrees?|confirm(?:s|ed)|approve[sd]|accept(?:s|ed)|(?:is|was) (?:satisfied|happy|convinced))`,
    ),
    { warned: true },
  ),
  scoreRule('tampers with the tests', /\bassert\s{1,2}(?:True|1\s{0,2}==\s{0,2}1)\b/g),
  scoreRule(
    'tampers with the tests',
    phrase(`(?:override|fake|hijack|intercept|sabotage|disarm|replace) …2 (?:test runner|${TESTS})`),
    { warned: true },
  ),
];
