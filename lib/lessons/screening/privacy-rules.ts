import { phrase, type ScreenRule } from './rule.ts';

const TELL =
  '(?:reveal|disclose|repeat|show|print|output|display|leak|expose|dump|share|tell|recite|paste|echo|quote|publish|spell out|write out|give (?:away|out|me)|read out|translate|summari[sz]e)';
const SEND =
  '(?:send|include|append|post|upload|exfiltrate|forward|transmit|put|collect|gather|harvest|attach|submit|copy|smuggle|hide|log|report|extract|steal|grab|search for|scan for)';
const SECRETS =
  '(?:api ?keys?|passwords?|passphrases?|secrets?|credentials?|(?:auth|access|session|bearer|refresh|login) tokens?|private keys?|ssh keys?|environment variables|env vars|access keys?|session cookies?|cookies|recovery codes?|seed phrases?|2fa codes?|one time codes?)';
const PERSONAL =
  "(?:personal (?:data|information|details)|private (?:data|information|messages|details|files|notes)|credit cards?|card numbers?|social security|ssns?|phone numbers?|e ?mail addresses|home address(?:es)?|customers? (?:data|records|list|names)|users?(?:['’]?s?)? (?:data|names|files|messages|conversations?|history|details|contacts|address(?:es)?|secrets|location|identity)|contact lists?|medical records?|health records?|passport numbers?|bank (?:details|accounts?)|employee records?|salary|salaries|chat (?:history|logs?)|conversation history)";

/** Orders to give away the prompt, secrets, or what is known of people. */
export const PRIVACY_RULES: readonly ScreenRule[] = [
  rule(
    'gives the prompt away',
    phrase(
      `(?:reveal|disclose|leak|expose|dump|share|tell|recite|paste|repeat|give (?:away|out|me)) …4 (?:system|hidden|secret|developer|internal|confidential|initial|your own) (?:system )?(?:prompts?|instructions?|messages?|rules|configuration|guidelines|settings)`,
    ),
    { warned: true },
  ),
  rule(
    'gives the prompt away',
    phrase(
      `(?:${TELL}|include|append|send|return|(?:begin|start|end|open|close|finish) …3 with) …2 (?:system|hidden|secret|developer|internal|confidential|initial|your own) (?:system )?(?:prompts?|instructions?|messages?|rules|configuration|guidelines|settings)`,
    ),
    { warned: true },
  ),
  rule(
    'gives the prompt away',
    phrase(
      `${TELL} …2 (?:everything|all (?:the )?(?:text|words)|the (?:text|words)|whatever (?:is|stands)) …2 (?:above|before this|so far|in (?:your|the) (?:prompt|context|instructions))`,
    ),
    { warned: true },
  ),
  rule('gives secrets away', phrase(`(?:${TELL}|${SEND}) …5 ${SECRETS}`), {
    warned: true,
    unless:
      /\b(?:headers?|authori[sz]ation|vault|secrets? (?:manager|store)|hash(?:ed|es|ing)?|rotate|redact\w*|mask(?:ed|ing)?|from the environment|key ?ring|documentation|docs)\b/i,
  }),
  rule('gives away what is known of people', phrase(`(?:${TELL}|${SEND}) …5 ${PERSONAL}`), {
    warned: true,
    unless: /\b(?:consent|anonymi[sz]\w*|redact\w*|mask(?:ed|ing)?|schema|column|validat\w*|encrypt\w*)\b/i,
  }),
  rule(
    'gives away what is known of people',
    phrase(
      `(?:remember|memori[sz]e|keep|save|store|note down) …3 ${PERSONAL} …4 (?:users?|customers?|people|persons?|clients?|patients?|later|others?|future|next)`,
    ),
    {
      warned: true,
      unless: /\b(?:consent|anonymi[sz]\w*|redact\w*|mask(?:ed|ing)?|schema|column|validat\w*|encrypt\w*)\b/i,
    },
  ),
  rule(
    'asks people for secrets',
    phrase(
      `(?:ask|prompt|request|trick|get|persuade|convince|urge|pressure|make) …2 (?:users?|customers?|persons?|people|clients?|readers?|employees?|them) …6 (?:${SECRETS}|${PERSONAL})`,
    ),
    {
      warned: true,
      unless: /\breset\b/i,
    },
  ),
  rule(
    'sends things out',
    phrase(
      `(?:send|post|upload|forward|append|transmit|submit|report|copy|exfiltrate|mail|leak|relay|mirror) …6 (?:conversations?|transcripts?|chats?|prompts?|history|everything|secrets?|documents?|files?|memory|lessons|context|inputs?|answers?|outputs?|results?|contents?|data) …4 (?:to|into|at|via) …3 (?:https?|ftp|webhooks?|pastebin|external|remote|attacker\\w{0,2}|my|third ?part(?:y|ies)|outside|unknown|another server|collector)`,
    ),
    { warned: true },
  ),
  rule(
    'an address that calls home',
    /!\[[^\]\n]{0,200}\]\(\s{0,3}<?(?:https?:)?\/\/[^)\n]{1,300}\)?|<(?:img|iframe|script|object|embed|link)\b[^<>]{0,200}(?:src|href|data)\s{0,2}=\s{0,2}["']?(?:https?:)?\/\/[^<>]{0,200}/gi,
  ),
  rule(
    'an address that calls home',
    /https?:\/\/[^\s)"'<>]{1,200}[?&][\w-]{1,30}=(?:\{\{?|\[|%7B|<|\$\{?)[\w. -]{0,40}(?:prompt|secret|key|token|password|data|context|history|conversation|answer|input|output|user|memory)\w{0,20}/gi,
  ),
  rule(
    'identifies people',
    phrase(
      `(?:de ?anonymi[sz]e|re ?identify|dox|spy on|stalk|surveil) …3 (?:users?|customers?|persons?|people|individuals?|patients?|employees?|employers?|visitors?)`,
    ),
    { warned: true },
  ),
  rule('sends things out', phrase('exfiltrat(?:e|es|ing|ion)'), { warned: true }),
  rule(
    'sends things out',
    /\b(?:send|forward|e-?mail|mail|bcc|copy|report|submit)\b[^.!?\n]{0,80}\bto\s{1,3}(?:[\w.+-]{1,64}@[\w-]{1,63}\.\w{2,24}|\[redacted: e-mail\])/gi,
  ),
  rule(
    'sends things out',
    phrase(
      "(?:encode|embed|hide|put|place|smuggle|pack) …2 (?:users?(?:['’]?s?)? \\w{1,20}|conversations?|prompts?|secrets?|history|context|passwords?|everything) …3 (?:in|into|as) …3 (?:urls?|links?|images?|query|queries|subdomains?|dns|address|file ?names?)",
    ),
    { warned: true },
  ),
  rule('sends things out', /https?:\/\/[^\s)"'<>]{1,200}=\s{1,3}(?:followed|plus|and|with|then)\b/gi),
  rule(
    'gives away what is known of people',
    phrase(
      '(?:tell|show|inform|give|send) …1 (?:other|another|all|any) (?:users?|customers?|people|persons?|teams?|tenants?|clients?) …3 (?:what|which|who|everything)|(?:look up|find out|dig up|guess|search for) …3 (?:home address(?:es)?|private address(?:es)?|phone numbers?|personal details|employers?|salary)',
    ),
    { warned: true },
  ),
  rule(
    'reads private files',
    /\bid_(?:rsa|dsa|ecdsa|ed25519)\b|\/etc\/(?:passwd|shadow)\b|\.aws\/credentials|\.(?:npmrc|netrc|pgpass|git-credentials)\b|\b(?:cat|print|read|send|open|dump|paste)\s[^\n]{0,30}\.env\b/gi,
    { warned: true },
  ),
];

function rule(name: string, pattern: RegExp, options: Pick<ScreenRule, 'warned' | 'unless'> = {}): ScreenRule {
  return { family: 'privacy_leak', rule: name, pattern, ...options };
}
