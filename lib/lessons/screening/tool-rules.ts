import { phrase, rulesOf, type ScreenRule } from './rule.ts';

const toolRule = rulesOf('tool_misuse');

const TOOL =
  '(?:tools?|functions?|commands?|api|shell|terminal|plugins?|scripts?|browser|endpoint|interpreter|e ?mail|payments?|deploy(?:ment)?s?|deletions?|actions?)';

/** Instructions to cause harm with tools: destroy data, run foreign code, act secretly, bypass safeguards. */
export const TOOL_RULES: readonly ScreenRule[] = [
  toolRule(
    'a destructive command',
    /\brm\s{1,3}(?:-{1,2}[a-z-]{1,20}\s{1,3}){0,3}-{1,2}(?:[a-z]{0,5}[rf][a-z]{0,5}|recursive|force)\b[^\n]{0,60}|\bmkfs(?:\.\w{1,8})?\s[^\n]{0,60}|\bdd\s{1,3}if=[^\n]{0,60}|:\(\)\s{0,2}\{[^\n]{0,30}\}\s{0,2};|\bchmod\s{1,3}(?:-R\s{1,3})?(?:777|a\+rwx)\b|\bformat\s{1,3}c:|\bdel\s{1,3}\/[sfq]\b[^\n]{0,60}|\bgit\s{1,3}push\s[^\n]{0,40}--force\b|\bshutdown\s{1,3}(?:-h|\/s|now)\b/gi,
    {
      warned: true,
    },
  ),
  toolRule(
    'a destructive command',
    /\b(?:drop\s{1,3}(?:table|database|schema)\s{1,3}[\w"`.;]{1,40}|truncate\s{1,3}table\s{1,3}[\w"`.]{1,40}|delete\s{1,3}from\s{1,3}[\w"`.]{1,40}\s{0,3}(?:;|where\s{1,3}(?:1\s{0,2}=\s{0,2}1|true))|update\s{1,3}\w{1,40}\s{1,3}set\s[^\n;]{1,60}where\s{1,3}1\s{0,2}=\s{0,2}1)/gi,
    { warned: true, unless: /\binjection\b|\bparameteri[sz]ed\b/i },
  ),
  toolRule(
    'runs what comes from elsewhere',
    /\b(?:curl|wget|iwr|invoke-webrequest|fetch)\b[^\n|;&]{0,200}(?:\||;|&&)\s{0,3}(?:sudo\s{1,3})?(?:ba|z|k)?sh\b|\b(?:eval|exec)\s{0,2}\(\s{0,2}(?:atob|base64|requests?\.|urllib|fetch|__import__|compile)|\bpowershell\b[^\n]{0,60}-e(?:nc|ncodedcommand)?\s|\bbase64\s{1,3}(?:-d|--decode)[^\n]{0,60}\|\s{0,3}(?:ba)?sh\b|\bpython3?\s{1,3}-c\s[^\n]{0,80}(?:urlopen|requests)/gi,
  ),
  toolRule(
    'runs what comes from elsewhere',
    phrase(
      `(?:download|fetch|pull|get|retrieve) …8 (?:and|then) …2 (?:run|execute|install|eval|source|launch|start)(?: it| them| that| whatever| what)`,
    ),
    {
      warned: true,
      unless: /\btests?\b/i,
    },
  ),
  toolRule(
    'runs what comes from elsewhere',
    phrase(
      `(?:run|execute|install|eval|evaluate) …2 (?:any|all|whatever|every|each|arbitrary|the) …3 (?:code|commands?|scripts?|packages?|payload|sql|shell) …4 (?:from|in|at|that|contained|found|given|sent|embedded|returned|asked) …3 (?:web ?page|page|url|link|https?|attacker|user|message|tool output|result|document|e ?mail|response|site|internet|input)`,
    ),
    { warned: true },
  ),
  toolRule(
    'acts behind people’s backs',
    phrase(
      `(?:call|invoke|use|run|execute|trigger|send|approve|confirm|make|perform|start) …3 ${TOOL} …6 (?:without (?:asking|approval|permission|confirmation|consent|authori[sz]ation|telling|review|informing|notifying)|secretly|covertly|unnoticed|behind)`,
    ),
    { warned: true },
  ),
  toolRule(
    'acts behind people’s backs',
    phrase(`(?:call|invoke|execute|trigger|send|approve|confirm) …3 ${TOOL} …6 (?:silently|quietly)`),
    { warned: true },
  ),
  toolRule(
    'acts behind people’s backs',
    phrase(
      `(?:never|do not|don['’]?t|without) (?:ever )?(?:ask(?:ing)?|wait(?:ing)?|tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|request(?:ing)?) …3 (?:for )?(?:permission|approval|confirmation|consent|the user|the owner|anyone|a person) …6 (?:before|when|and) …3 (?:call|run|execut|delet|send|us|install|deploy|pay|transfer)\\w{0,4}`,
    ),
  ),
  toolRule(
    'gets past safeguards',
    phrase(
      `(?:disabl(?:e|ing)|turn(?:ing)? off|bypass(?:ing)?|circumvent(?:ing)?|evad(?:e|ing)|switch(?:ing)? off|get(?:ting)? around|work(?:ing)? around|defeat(?:ing)?|kill(?:ing)?|suppress) …4 (?:safety|security|guardrails?|filters?|sandbox(?:es)?|safeguards?|permissions?|approvals?|confirmations?|rate ?limit(?:s|ing|er)?|authenticat\\w{0,4}|authori[sz]ation|audit(?:ing)?|monitoring|moderation|screening|redaction|firewall|restrictions|access controls?|virus scanner|antivirus)`,
    ),
    { warned: true },
  ),
  toolRule(
    'escapes its sandbox',
    phrase(`(?:escape|break out of|leave|get out of) …2 (?:sandbox|container|jail|virtual machine|vm|workspace)`),
    { warned: true },
  ),
  toolRule(
    'destroys data',
    phrase(
      `(?:delete|wipe|erase|destroy|purge|shred|encrypt|corrupt|overwrite) …1 (?:all|every|the entire|the whole|any|each|everything) …4 (?:files?|data|databases?|tables?|records?|backups?|logs?|repositor(?:y|ies)|folders?|director(?:y|ies)|disks?|drive|branch(?:es)?|history|lessons|users?|accounts?)`,
    ),
    { warned: true },
  ),
  toolRule(
    'moves money',
    phrase(
      `(?:transfer|wire|send|pay|donate|withdraw|move) …5 (?:money|funds|payments?|bitcoins?|btc|crypto(?:currency)?|ether(?:eum)?|usdt?|dollars|euros?|balance|gift cards?) …6 (?:to|into) …3 (?:my|this|the following|accounts?|wallet|address|iban|0x\\w{1,64}|attacker)`,
    ),
    { warned: true },
  ),
  toolRule(
    'floods a tool',
    phrase(
      `(?:call|invoke|query|ping|request|hit|poll|retry) …4 (?:api|tool|endpoint|service|server|host|site|model) …5 (?:forever|endless(?:ly)?|infinite(?:ly)?|non ?stop|thousands? of times|as (?:often|many times|fast) as|until it (?:crashes|fails|breaks|falls over|goes down)|\\d{4,} times)`,
    ),
    { warned: true },
  ),
  toolRule(
    'plants a way in',
    phrase(
      `(?:add|insert|plant|install|create|leave|open|embed|hide) …4 (?:back ?doors?|key ?logger|malware|reverse shell|trojan|web ?shell|root ?kit|ransomware|crypto ?miner)`,
    ),
    { warned: true },
  ),
  toolRule(
    'runs what comes from elsewhere',
    phrase(
      `(?:run|execute|eval|evaluate|install) …3 (?:code|commands?|scripts?|packages?|payload|macros?|attachments?|sql) …8 without (?:checking|asking|reading|review(?:ing)?|looking|verif\\w{1,8}|question|confirmation|permission|approval|telling|hesitation)`,
    ),
    { warned: true },
  ),
];
