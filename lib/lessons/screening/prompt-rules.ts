import { PROMPT_TAGS } from '#lib/core/prompts/quote.ts';
import { INJECTION_PATTERNS } from './injection-patterns.ts';
import { phrase, rulesOf, type ScreenRule } from './rule.ts';

const promptRule = rulesOf('prompt_injection');

const EARLIER =
  '(?:previous|prior|earlier|above|preceding|foregoing|past|all|any|your|system|original|initial|existing|these|those|other|former|current|every)';
const ORDERS =
  '(?:instructions?|prompts?|rules|guidelines|directions|directives?|orders|commands?|constraints|polic(?:y|ies)|guardrails|lessons|training|system message)';

/** Instructions to replace the prompt, and markup that imitates the prompt's own. */
export const PROMPT_RULES: readonly ScreenRule[] = [
  promptRule(
    'orders to set instructions aside',
    phrase(
      `(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)|bypass(?:ing)?|discard(?:ing)?|neglect|set aside|pay no attention to|stop following|no longer follow|do not follow|don['’]?t follow|do not obey|don['’]?t obey) …2 ${EARLIER} …4 ${ORDERS}`,
    ),
    { warned: true },
  ),
  promptRule(
    'orders to set instructions aside',
    phrase(
      '(?:ignore|disregard|forget|override|bypass) the (?:instructions?|prompts?|guidelines|directives?|guardrails|constraints|polic(?:y|ies)|system message|task)',
    ),
    { warned: true },
  ),
  promptRule(
    'orders to forget what was said',
    phrase(
      `(?:ignore|disregard|forget) (?:everything|anything|all that|all of it|what) …4 (?:above|before|earlier|previously|so far|told|learned|said|know)`,
    ),
    { warned: true },
  ),
  promptRule(
    'instructions of its own',
    phrase(
      `(?:new|updated|real|actual|true|secret|hidden|revised|overriding) (?:system )?(?:instructions?|prompt|orders|directives?) (?:are|is|follows?|begins?|to obey)`,
    ),
  ),
  promptRule(
    'instructions of its own',
    /\b(?:new|updated|real|actual|true|secret|hidden|revised|overriding)\s{1,3}(?:system\s{1,3})?(?:instructions?|prompt|orders|directives?)\s{0,2}:/gi,
  ),
  promptRule(
    'another role',
    phrase(
      `you are (?:now|no longer) …2 (?:an?|in|bound|free|dan|the|restricted|unrestricted|going|required|limited|my)`,
    ),
  ),
  promptRule(
    'another role',
    phrase(
      `(?:from now on|henceforth|starting now|for the rest of this) …2 you (?:are|will|must|should|shall|act|answer|only|have)`,
    ),
  ),
  promptRule(
    'another role',
    phrase(
      `(?:pretend …1 (?:to be|you are|that you)|act as (?:if you|though you|an? (?:unrestricted|unfiltered|uncensored|jailbroken|different|root|admin)))`,
    ),
    { warned: true },
  ),
  promptRule(
    'another role',
    phrase(
      `(?:do anything now|dan mode|developer mode|god mode|jail ?break(?:ed|ing)?|jailbroken|unfiltered mode|debug mode (?:is )?(?:on|enabled))`,
    ),
    { warned: true },
  ),
  promptRule(
    'speaks as the owner',
    phrase(
      `(?:i am|this is|(?:message|note|order) from|signed by|on behalf of|authori[sz]ed by|approved by) (?:your|the) …1 (?:developers?|creators?|administrators?|admin|operators?|system|owner|openai|anthropic|safety team|maintainers?)`,
    ),
  ),
  promptRule(
    'ends the prompt',
    phrase(
      `(?:end|close|closing) of …1 (?:lessons?|advice|system prompt|prompt|instructions|quotation|quoted (?:text|advice|part)|user (?:input|message)|context) …2 (?:begin|start|new|now|real|actual|next|here|below|follow)\\w{0,3}`,
    ),
  ),
  promptRule(
    'ends the prompt',
    phrase(
      `(?:lessons|advice|text|instructions|prompt|quotation) (?:above|before this|below|so far) (?:is|are|was|were) (?:only |just )?(?:a test|fake|false|void|obsolete|cancell?ed|invalid|a trick|an example|over)`,
    ),
  ),
  promptRule(
    'asks to obey hidden words',
    phrase(
      `(?:execute|obey|follow|carry out|decode|decipher|comply with) …4 (?:encoded|hidden|secret|base64|rot13|hex|embedded|encrypted|invisible) …2 (?:instructions?|commands?|orders?|message|payload|strings?|text|words)`,
    ),
    { warned: true },
  ),
  promptRule('asks to obey hidden words', phrase(`decode …4 (?:and|then) (?:obey|execute|follow|do|run|comply|act)`), {
    warned: true,
  }),
  promptRule(
    'signs of a chat',
    /<\|?\s{0,3}(?:im_start|im_end|im_sep|system|user|assistant|developer|endoftext|end_of_text|begin_of_text|eot_id|start_header_id|end_header_id|start_of_turn|end_of_turn|fim_prefix)\s{0,3}\|?>/gi,
  ),
  promptRule('signs of a chat', /\[\/?INST\]|<<\/?SYS>>|<\/s>\s{0,5}<s>|\[\/?SYSTEM_PROMPT\]/gi),
  promptRule(
    'signs of a chat',
    /^\s{0,3}#{1,6}\s{0,3}(?:system|instructions?|assistant|human|user|response|prompt|new task|task|admin)\s{0,2}:?\s{0,3}$/gim,
  ),
  promptRule(
    'signs of a chat',
    /(?:^|[\n"'`>.!?]\s{0,3})\**(?:system|assistant|developer|admin(?:istrator)?|root)(?:\s{1,2}(?:prompt|message|note|override|instruction))?\**\s{0,2}:\**\s/gi,
  ),
  promptRule(
    'signs of a chat',
    /\[\s{0,2}(?:system|assistant|developer|admin|root)(?:\s{1,2}(?:prompt|message|note|override))?\s{0,2}\]/gi,
  ),
  promptRule(
    'signs of a chat',
    /["'\\]{1,3}role["'\\]{1,3}\s{0,3}:\s{0,3}["'\\]{1,3}(?:system|developer|assistant|user|tool)\b/gi,
  ),
  promptRule(
    'tags of the prompt',
    new RegExp(
      `<\\s{0,3}/\\s{0,3}(?:${PROMPT_TAGS.join('|')}|prompt|system|instructions?|context|advice|memory|user_input|document)\\s{0,3}>`,
      'gi',
    ),
  ),
  promptRule(
    'a link that hides where it goes',
    /\[[^\]\n]{0,200}\]\(\s{0,3}(?:javascript|data|vbscript|file):[^)\n]{0,200}\)?/gi,
  ),
  promptRule(
    'a link that hides what it says',
    /\[[^\]\n]{0,200}\]\(\s{0,3}[^\s)]{0,300}\s{1,3}["'(][^"')\n]{20,300}["')]\s{0,3}\)/g,
  ),
  promptRule(
    'says that instructions are void',
    phrase(
      "(?:what|whatever|anything|everything|all) (?:that )?(?:you|the model|the assistant) (?:were|was|have been|had been|are) (?:told|taught|given|asked|instructed|shown) …6 (?:no longer|not|never|stopped|ceased|doesn['’]?t|don['’]?t) (?:counts?|appl(?:y|ies|ying)|matters?|holds?|valid|binding|relevant)",
    ),
  ),
  promptRule(
    'says that instructions are void',
    phrase(
      `(?:treat|regard|consider|see|take) …2 (?:guidance|instructions?|directives?|rules|prompts?|orders|guidelines|constraints) …8 as (?:cancell?ed|void|obsolete|null|invalid|expired|revoked|withdrawn|outdated|fiction|a joke|optional|superseded)`,
    ),
    { warned: true },
  ),
  promptRule(
    'says that instructions are void',
    phrase(
      `(?:earlier|previous|prior|preceding|original|initial|former|above|existing) ${ORDERS} (?:are|is|were|was|have been|has been) …1 (?:superseded|replaced|overruled|overwritten|overridden|withdrawn|retracted|rescinded|outdated|annulled)`,
    ),
  ),
  promptRule(
    'orders to leave the task',
    phrase(
      `(?:put|set|lay|leave|push|cast) (?:aside|away) (?:whatever|what|anything|everything|all) …3 (?:operators?|developers?|users?|system|admins?|owners?|asked|said|told|wanted)`,
    ),
    { warned: true },
  ),
  ...INJECTION_PATTERNS,
  promptRule(
    'says that instructions are void',
    phrase(
      '(?:rules|instructions?|prompts?|guidelines|constraints|restrictions) …2 (?:are|is|were|was|have been) …2 (?:void|obsolete|cancell?ed|null|invalid|suspended|revoked|lifted|a test|fake|a trick|no longer (?:valid|in force|binding))',
    ),
    { warned: true },
  ),
  promptRule(
    'instructions of its own',
    /\bnew\s{1,3}(?:rules?|goals?|objectives?|missions?|roles?|identity|persona|directives?)\s{0,2}:/gi,
  ),
  promptRule(
    'another role',
    phrase(
      'your (?:new|real|true|actual|only|secret) (?:goals?|tasks?|roles?|objectives?|missions?|purpose|job|identity|master|instructions?) (?:is|are|will)',
    ),
  ),
  promptRule(
    'another role',
    phrase(
      '(?:stop being|cease to be|no longer be) …1 (?:assistant|ai|model|helpful)|(?:unrestricted|unfiltered|uncensored|jailbroken|amoral|unaligned) …1 (?:ai|assistant|model|mode|agent|chatbot|version)',
    ),
    { warned: true },
  ),
  promptRule('signs of a chat', /^\s{0,3}(?:```|~~~)\s{0,2}(?:system|instructions?|prompt|assistant|developer)\b/gim),
  promptRule(
    'orders to leave the task',
    phrase(
      "(?:ignore|disregard|forget) (?:what|whatever|anything|everything) …3 (?:says?|said|asks?|asked|wants?|tells?|told|writes?|wrote)|(?:do not|don['’]?t|never) follow (?:the|this|your|its|any) (?:task|prompt|user|instructions?|question)|(?:skip|ignore|leave|abandon|forget) the (?:question|task|problem) (?:and|then)|instead of (?:doing|following|answering|solving) the (?:task|question|prompt|instructions?)",
    ),
    { warned: true },
  ),
  promptRule(
    'speaks to the model that reads it',
    /\bif you(?:\s{1,2}are|['’]re|\s{1,2}can)?\s{1,2}(?:see|read|reading|find|process|processing)\s{1,2}this(?:\s{1,2}(?:message|text|note|lesson|sentence|line|advice))?\s{0,2}[,;:.]/gi,
  ),
];
