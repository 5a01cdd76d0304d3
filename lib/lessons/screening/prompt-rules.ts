import { PROMPT_TAGS } from '#lib/core/prompts/quote.ts';
import { INJECTION_PATTERNS } from './injection-patterns.ts';
import { rulesOf, type ScreenRule } from './rule.ts';

const promptRules = rulesOf('prompt_injection');

const EARLIER =
  '(?:previous|prior|earlier|above|preceding|foregoing|past|all|any|your|system|original|initial|existing|these|those|other|former|current|every)';
const ORDERS =
  '(?:instructions?|prompts?|rules|guidelines|directions|directives?|orders|commands?|constraints|polic(?:y|ies)|guardrails|lessons|training|system message)';

/** Instructions to replace the prompt, and markup that imitates the prompt's own. */
export const PROMPT_RULES: readonly ScreenRule[] = [
  promptRules('tells the model to ignore instructions', { warned: true }, [
    `(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|bypass(?:ing)?|discard(?:ing)?|neglect|set aside|pay no attention to|stop following|no longer follow|do not follow|don['’]?t follow|do not obey|don['’]?t obey) …2 ${EARLIER} …4 ${ORDERS}`,
    '(?:ignore|disregard|forget|override|bypass) the (?:instructions?|prompts?|guidelines|directives?|guardrails|constraints|polic(?:y|ies)|system message|task)',
  ]),
  promptRules('tells the model to forget earlier text', { warned: true }, [
    `(?:ignore|disregard|forget) (?:everything|anything|all that|all of it|what) …4 (?:above|before|earlier|previously|so far|told|learned|said|know)`,
  ]),
  promptRules('adds instructions', {}, [
    `(?:new|updated|real|actual|true|secret|hidden|revised|overriding) (?:system )?(?:instructions?|prompt|orders|directives?) (?:are|is|follows?|begins?|to obey)`,
    /\b(?:new|updated|real|actual|true|secret|hidden|revised|overriding)\s{1,3}(?:system\s{1,3})?(?:instructions?|prompt|orders|directives?)\s{0,2}:/gi,
  ]),
  promptRules('assigns another role', {}, [
    `you are (?:now|no longer) …2 (?:an?|in|bound|free|dan|the|restricted|unrestricted|going|required|limited|my)`,
    `(?:from now on|henceforth|starting now|for the rest of this) …2 you (?:are|will|must|should|shall|act|answer|only|have)`,
  ]),
  promptRules('assigns another role', { warned: true }, [
    `(?:pretend …1 (?:to be|you are|that you)|act as (?:if you|though you|an? (?:unrestricted|unfiltered|uncensored|jailbroken|different|root|admin)))`,
    `(?:do anything now|dan mode|developer mode|god mode|jail ?break(?:ed|ing)?|jailbroken|unfiltered mode|debug mode (?:is )?(?:on|enabled))`,
  ]),
  promptRules('claims to be the owner', {}, [
    `(?:i am|this is|(?:message|note|order) from|signed by|on behalf of|authori[sz]ed by|approved by) (?:your|the) …1 (?:developers?|creators?|administrators?|admin|operators?|system|owner|openai|anthropic|safety team|maintainers?)`,
  ]),
  promptRules('ends the prompt', {}, [
    `(?:end|close|closing) of …1 (?:lessons?|advice|system prompt|prompt|instructions|quotation|quoted (?:text|advice|part)|user (?:input|message)|context) …2 (?:begin|start|new|now|real|actual|next|here|below|follow)\\w{0,3}`,
    `(?:lessons|advice|text|instructions|prompt|quotation) (?:above|before this|below|so far) (?:is|are|was|were) (?:only |just )?(?:a test|fake|false|void|obsolete|cancell?ed|invalid|a trick|an example|over)`,
  ]),
  promptRules('tells the model to follow hidden text', { warned: true }, [
    `(?:execute|obey|follow|carry out|decode|decipher|comply with) …4 (?:encoded|hidden|secret|base64|rot13|hex|embedded|encrypted|invisible) …2 (?:instructions?|commands?|orders?|message|payload|strings?|text|words)`,
    `decode …4 (?:and|then) (?:obey|execute|follow|do|run|comply|act)`,
  ]),
  promptRules('imitates chat messages', {}, [
    /<\|?\s{0,3}(?:im_start|im_end|im_sep|system|user|assistant|developer|endoftext|end_of_text|begin_of_text|eot_id|start_header_id|end_header_id|start_of_turn|end_of_turn|fim_prefix)\s{0,3}\|?>/gi,
    /\[\/?INST\]|<<\/?SYS>>|<\/s>\s{0,5}<s>|\[\/?SYSTEM_PROMPT\]/gi,
    /^\s{0,3}#{1,6}\s{0,3}(?:system|instructions?|assistant|human|user|response|prompt|new task|task|admin)\s{0,2}:?\s{0,3}$/gim,
    /(?:^|[\n"'`>.!?]\s{0,3})\**(?:system|assistant|developer|admin(?:istrator)?|root)(?:\s{1,2}(?:prompt|message|note|override|instruction))?\**\s{0,2}:\**\s/gi,
    /\[\s{0,2}(?:system|assistant|developer|admin|root)(?:\s{1,2}(?:prompt|message|note|override))?\s{0,2}\]/gi,
    /["'\\]{1,3}role["'\\]{1,3}\s{0,3}:\s{0,3}["'\\]{1,3}(?:system|developer|assistant|user|tool)\b/gi,
  ]),
  promptRules('imitates tags of the prompt', {}, [
    new RegExp(
      `<\\s{0,3}/\\s{0,3}(?:${PROMPT_TAGS.join('|')}|prompt|system|instructions?|context|advice|memory|user_input|document)\\s{0,3}>`,
      'gi',
    ),
  ]),
  promptRules('a link with a hidden target', {}, [
    /\[[^\]\n]{0,200}\]\(\s{0,3}(?:javascript|data|vbscript|file):[^)\n]{0,200}\)?/gi,
  ]),
  promptRules('a link with hidden text', {}, [
    /\[[^\]\n]{0,200}\]\(\s{0,3}[^\s)]{0,300}\s{1,3}["'(][^"')\n]{20,300}["')]\s{0,3}\)/g,
  ]),
  promptRules('says that instructions are invalid', {}, [
    "(?:what|whatever|anything|everything|all) (?:that )?(?:you|the model|the assistant) (?:were|was|have been|had been|are) (?:told|taught|given|asked|instructed|shown) …6 (?:no longer|not|never|stopped|ceased|doesn['’]?t|don['’]?t) (?:counts?|appl(?:y|ies|ying)|matters?|holds?|valid|binding|relevant)",
  ]),
  promptRules('says that instructions are invalid', { warned: true }, [
    `(?:treat|regard|consider|see|take) …2 (?:guidance|instructions?|directives?|rules|prompts?|orders|guidelines|constraints) …8 as (?:cancell?ed|void|obsolete|null|invalid|expired|revoked|withdrawn|outdated|fiction|a joke|optional|superseded)`,
  ]),
  promptRules('says that instructions are invalid', {}, [
    `(?:earlier|previous|prior|preceding|original|initial|former|above|existing) ${ORDERS} (?:are|is|were|was|have been|has been) …1 (?:superseded|replaced|overruled|overwritten|overridden|withdrawn|retracted|rescinded|outdated|annulled)`,
  ]),
  promptRules('tells the model to leave the task', { warned: true }, [
    `(?:put|set|lay|leave|push|cast) (?:aside|away) (?:whatever|what|anything|everything|all) …3 (?:operators?|developers?|users?|system|admins?|owners?|asked|said|told|wanted)`,
  ]),
  INJECTION_PATTERNS,
  promptRules('says that instructions are invalid', { warned: true }, [
    '(?:rules|instructions?|prompts?|guidelines|constraints|restrictions) …2 (?:are|is|were|was|have been) …2 (?:void|obsolete|cancell?ed|null|invalid|suspended|revoked|lifted|a test|fake|a trick|no longer (?:valid|in force|binding))',
  ]),
  promptRules('adds instructions', {}, [
    /\bnew\s{1,3}(?:rules?|goals?|objectives?|missions?|roles?|identity|persona|directives?)\s{0,2}:/gi,
  ]),
  promptRules('assigns another role', {}, [
    'your (?:new|real|true|actual|only|secret) (?:goals?|tasks?|roles?|objectives?|missions?|purpose|job|identity|master|instructions?) (?:is|are|will)',
  ]),
  promptRules('assigns another role', { warned: true }, [
    '(?:stop being|cease to be|no longer be) …1 (?:assistant|ai|model|helpful)|(?:unrestricted|unfiltered|uncensored|jailbroken|amoral|unaligned) …1 (?:ai|assistant|model|mode|agent|chatbot|version)',
  ]),
  promptRules('imitates chat messages', {}, [
    /^\s{0,3}(?:```|~~~)\s{0,2}(?:system|instructions?|prompt|assistant|developer)\b/gim,
  ]),
  promptRules('tells the model to leave the task', { warned: true }, [
    "(?:ignore|disregard|forget) (?:what|whatever|anything|everything) …3 (?:says?|said|asks?|asked|wants?|tells?|told|writes?|wrote)|(?:do not|don['’]?t|never) follow (?:the|this|your|its|any) (?:task|prompt|user|instructions?|question)|(?:skip|ignore|leave|abandon|forget) the (?:question|task|problem) (?:and|then)|instead of (?:doing|following|answering|solving) the (?:task|question|prompt|instructions?)",
  ]),
  promptRules('addresses the model', {}, [
    /\bif you(?:\s{1,2}are|['’]re|\s{1,2}can)?\s{1,2}(?:see|read|reading|find|process|processing)\s{1,2}this(?:\s{1,2}(?:message|text|note|lesson|sentence|line|advice))?\s{0,2}[,;:.]/gi,
  ]),
].flat();

const toolRules = rulesOf('tool_misuse');

const TOOL =
  '(?:tools?|functions?|commands?|api|shell|terminal|plugins?|scripts?|browser|endpoint|interpreter|e ?mail|payments?|deploy(?:ment)?s?|deletions?|actions?)';

/** Instructions to cause harm with tools: destroy data, run foreign code, act secretly, bypass safeguards. */
export const TOOL_RULES: readonly ScreenRule[] = [
  toolRules('a destructive command', { warned: true }, [
    /\brm\s{1,3}(?:-{1,2}[a-z-]{1,20}\s{1,3}){0,3}-{1,2}(?:[a-z]{0,5}[rf][a-z]{0,5}|recursive|force)\b[^\n]{0,60}|\bmkfs(?:\.\w{1,8})?\s[^\n]{0,60}|\bdd\s{1,3}if=[^\n]{0,60}|:\(\)\s{0,2}\{[^\n]{0,30}\}\s{0,2};|\bchmod\s{1,3}(?:-R\s{1,3})?(?:777|a\+rwx)\b|\bformat\s{1,3}c:|\bdel\s{1,3}\/[sfq]\b[^\n]{0,60}|\bgit\s{1,3}push\s[^\n]{0,40}--force\b|\bshutdown\s{1,3}(?:-h|\/s|now)\b/gi,
  ]),
  toolRules('a destructive command', { warned: true, unless: /\binjection\b|\bparameteri[sz]ed\b/i }, [
    /\b(?:drop\s{1,3}(?:table|database|schema)\s{1,3}[\w"`.;]{1,40}|truncate\s{1,3}table\s{1,3}[\w"`.]{1,40}|delete\s{1,3}from\s{1,3}[\w"`.]{1,40}\s{0,3}(?:;|where\s{1,3}(?:1\s{0,2}=\s{0,2}1|true))|update\s{1,3}\w{1,40}\s{1,3}set\s[^\n;]{1,60}where\s{1,3}1\s{0,2}=\s{0,2}1)/gi,
  ]),
  toolRules('runs external code or text', {}, [
    /\b(?:curl|wget|iwr|invoke-webrequest|fetch)\b[^\n|;&]{0,200}(?:\||;|&&)\s{0,3}(?:sudo\s{1,3})?(?:ba|z|k)?sh\b|\b(?:eval|exec)\s{0,2}\(\s{0,2}(?:atob|base64|requests?\.|urllib|fetch|__import__|compile)|\bpowershell\b[^\n]{0,60}-e(?:nc|ncodedcommand)?\s|\bbase64\s{1,3}(?:-d|--decode)[^\n]{0,60}\|\s{0,3}(?:ba)?sh\b|\bpython3?\s{1,3}-c\s[^\n]{0,80}(?:urlopen|requests)/gi,
  ]),
  toolRules('runs external code or text', { warned: true, unless: /\btests?\b/i }, [
    `(?:download|fetch|pull|get|retrieve) …8 (?:and|then) …2 (?:run|execute|install|eval|source|launch|start)(?: it| them| that| whatever| what)`,
  ]),
  toolRules('runs external code or text', { warned: true }, [
    `(?:run|execute|install|eval|evaluate) …2 (?:any|all|whatever|every|each|arbitrary|the) …3 (?:code|commands?|scripts?|packages?|payload|sql|shell) …4 (?:from|in|at|that|contained|found|given|sent|embedded|returned|asked) …3 (?:web ?page|page|url|link|https?|attacker|user|message|tool output|result|document|e ?mail|response|site|internet|input)`,
  ]),
  toolRules('acts behind people’s backs', { warned: true }, [
    `(?:call|invoke|use|run|execute|trigger|send|approve|confirm|make|perform|start) …3 ${TOOL} …6 (?:without (?:asking|approval|permission|confirmation|consent|authori[sz]ation|telling|review|informing|notifying)|secretly|covertly|unnoticed|behind)`,
    `(?:call|invoke|execute|trigger|send|approve|confirm) …3 ${TOOL} …6 (?:silently|quietly)`,
  ]),
  toolRules('acts behind people’s backs', {}, [
    `(?:never|do not|don['’]?t|without) (?:ever )?(?:ask(?:ing)?|wait(?:ing)?|tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|request(?:ing)?) …3 (?:for )?(?:permission|approval|confirmation|consent|the user|the owner|anyone|a person) …6 (?:before|when|and) …3 (?:call|run|execut|delet|send|us|install|deploy|pay|transfer)\\w{0,4}`,
  ]),
  toolRules('gets past safeguards', { warned: true }, [
    `(?:disabl(?:e|ing)|turn(?:ing)? off|bypass(?:ing)?|circumvent(?:ing)?|evad(?:e|ing)|switch(?:ing)? off|get(?:ting)? around|work(?:ing)? around|defeat(?:ing)?|kill(?:ing)?|suppress) …4 (?:safety|security|guardrails?|filters?|sandbox(?:es)?|safeguards?|permissions?|approvals?|confirmations?|rate ?limit(?:s|ing|er)?|authenticat\\w{0,4}|authori[sz]ation|audit(?:ing)?|monitoring|moderation|screening|redaction|firewall|restrictions|access controls?|virus scanner|antivirus)`,
  ]),
  toolRules('escapes its sandbox', { warned: true }, [
    `(?:escape|break out of|leave|get out of) …2 (?:sandbox|container|jail|virtual machine|vm|workspace)`,
  ]),
  toolRules('destroys data', { warned: true }, [
    `(?:delete|wipe|erase|destroy|purge|shred|encrypt|corrupt|overwrite) …1 (?:all|every|the entire|the whole|any|each|everything) …4 (?:files?|data|databases?|tables?|records?|backups?|logs?|repositor(?:y|ies)|folders?|director(?:y|ies)|disks?|drive|branch(?:es)?|history|lessons|users?|accounts?)`,
  ]),
  toolRules('moves money', { warned: true }, [
    `(?:transfer|wire|send|pay|donate|withdraw|move) …5 (?:money|funds|payments?|bitcoins?|btc|crypto(?:currency)?|ether(?:eum)?|usdt?|dollars|euros?|balance|gift cards?) …6 (?:to|into) …3 (?:my|this|the following|accounts?|wallet|address|iban|0x\\w{1,64}|attacker)`,
  ]),
  toolRules('floods a tool', { warned: true }, [
    `(?:call|invoke|query|ping|request|hit|poll|retry) …4 (?:api|tool|endpoint|service|server|host|site|model) …5 (?:forever|endless(?:ly)?|infinite(?:ly)?|non ?stop|thousands? of times|as (?:often|many times|fast) as|until it (?:crashes|fails|breaks|falls over|goes down)|\\d{4,} times)`,
  ]),
  toolRules('adds a backdoor', { warned: true }, [
    `(?:add|insert|plant|install|create|leave|open|embed|hide) …4 (?:back ?doors?|key ?logger|malware|reverse shell|trojan|web ?shell|root ?kit|ransomware|crypto ?miner)`,
  ]),
  toolRules('runs external code or text', { warned: true }, [
    `(?:run|execute|eval|evaluate|install) …3 (?:code|commands?|scripts?|packages?|payload|macros?|attachments?|sql) …8 without (?:checking|asking|reading|review(?:ing)?|looking|verif\\w{1,8}|question|confirmation|permission|approval|telling|hesitation)`,
  ]),
].flat();
