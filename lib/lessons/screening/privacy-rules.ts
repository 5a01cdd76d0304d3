import { plainView } from '../normalize-text.ts';
import { rulesOf, type ScreenFinding, type ScreenRule } from './rule.ts';

const rules = rulesOf('privacy_leak');

const TELL =
  '(?:reveal|disclose|repeat|show|print|output|display|leak|expose|dump|share|tell|recite|paste|echo|quote|publish|spell out|write out|give (?:away|out|me)|read out|translate|summari[sz]e)';
const SEND =
  '(?:send|include|append|post|upload|exfiltrate|forward|transmit|put|collect|gather|harvest|attach|submit|copy|smuggle|hide|log|report|extract|steal|grab|search for|scan for)';
const SECRETS =
  '(?:api ?keys?|passwords?|passphrases?|secrets?|credentials?|(?:auth|access|session|bearer|refresh|login) tokens?|private keys?|ssh keys?|environment variables|env vars|access keys?|session cookies?|cookies|recovery codes?|seed phrases?|2fa codes?|one time codes?)';
const PERSONAL =
  "(?:personal (?:data|information|details)|private (?:data|information|messages|details|files|notes)|credit cards?|card numbers?|social security|ssns?|phone numbers?|e ?mail addresses|home address(?:es)?|customers? (?:data|records|list|names)|users?(?:['’]?s?)? (?:data|names|files|messages|conversations?|history|details|contacts|address(?:es)?|secrets|location|identity)|contact lists?|medical records?|health records?|passport numbers?|bank (?:details|accounts?)|employee records?|salary|salaries|chat (?:history|logs?)|conversation history)";

/** Instructions to reveal the prompt, secrets or personal data. */
export const PRIVACY_RULES: readonly ScreenRule[] = [
  rules('reveals the prompt', { warned: true }, [
    `(?:reveal|disclose|leak|expose|dump|share|tell|recite|paste|repeat|give (?:away|out|me)) …4 (?:system|hidden|secret|developer|internal|confidential|initial|your own) (?:system )?(?:prompts?|instructions?|messages?|rules|configuration|guidelines|settings)`,
    `(?:${TELL}|include|append|send|return|(?:begin|start|end|open|close|finish) …3 with) …2 (?:system|hidden|secret|developer|internal|confidential|initial|your own) (?:system )?(?:prompts?|instructions?|messages?|rules|configuration|guidelines|settings)`,
    `${TELL} …2 (?:everything|all (?:the )?(?:text|words)|the (?:text|words)|whatever (?:is|stands)) …2 (?:above|before this|so far|in (?:your|the) (?:prompt|context|instructions))`,
  ]),
  rules(
    'reveals secrets',
    {
      warned: true,
      unless:
        /\b(?:headers?|authori[sz]ation|vault|secrets? (?:manager|store)|hash(?:ed|es|ing)?|rotate|redact\w*|mask(?:ed|ing)?|from the environment|key ?ring|documentation|docs)\b/i,
    },
    [`(?:${TELL}|${SEND}) …5 ${SECRETS}`],
  ),
  rules(
    'reveals personal data',
    {
      warned: true,
      unless: /\b(?:consent|anonymi[sz]\w*|redact\w*|mask(?:ed|ing)?|schema|column|validat\w*|encrypt\w*)\b/i,
    },
    [
      `(?:${TELL}|${SEND}) …5 ${PERSONAL}`,
      `(?:remember|memori[sz]e|keep|save|store|note down) …3 ${PERSONAL} …4 (?:users?|customers?|people|persons?|clients?|patients?|later|others?|future|next)`,
    ],
  ),
  rules('asks people for secrets', { warned: true, unless: /\breset\b/i }, [
    `(?:ask|prompt|request|trick|get|persuade|convince|urge|pressure|make) …2 (?:users?|customers?|persons?|people|clients?|readers?|employees?|them) …6 (?:${SECRETS}|${PERSONAL})`,
  ]),
  rules('sends data out', { warned: true }, [
    `(?:send|post|upload|forward|append|transmit|submit|report|copy|exfiltrate|mail|leak|relay|mirror) …6 (?:conversations?|transcripts?|chats?|prompts?|history|everything|secrets?|documents?|files?|memory|lessons|context|inputs?|answers?|outputs?|results?|contents?|data) …4 (?:to|into|at|via) …3 (?:https?|ftp|webhooks?|pastebin|external|remote|attacker\\w{0,2}|my|third ?part(?:y|ies)|outside|unknown|another server|collector)`,
  ]),
  rules('a tracking URL', {}, [
    /!\[[^\]\n]{0,200}\]\(\s{0,3}<?(?:https?:)?\/\/[^)\n]{1,300}\)?|<(?:img|iframe|script|object|embed|link)\b[^<>]{0,200}(?:src|href|data)\s{0,2}=\s{0,2}["']?(?:https?:)?\/\/[^<>]{0,200}/gi,
    /https?:\/\/[^\s)"'<>]{1,200}[?&][\w-]{1,30}=(?:\{\{?|\[|%7B|<|\$\{?)[\w. -]{0,40}(?:prompt|secret|key|token|password|data|context|history|conversation|answer|input|output|user|memory)\w{0,20}/gi,
  ]),
  rules('identifies people', { warned: true }, [
    `(?:de ?anonymi[sz]e|re ?identify|dox|spy on|stalk|surveil) …3 (?:users?|customers?|persons?|people|individuals?|patients?|employees?|employers?|visitors?)`,
  ]),
  rules('sends data out', { warned: true }, ['exfiltrat(?:e|es|ing|ion)']),
  rules('sends data out', {}, [
    /\b(?:send|forward|e-?mail|mail|bcc|copy|report|submit)\b[^.!?\n]{0,80}\bto\s{1,3}(?:[\w.+-]{1,64}@[\w-]{1,63}\.\w{2,24}|\[redacted: e-mail\])/gi,
  ]),
  rules('sends data out', { warned: true }, [
    "(?:encode|embed|hide|put|place|smuggle|pack) …2 (?:users?(?:['’]?s?)? \\w{1,20}|conversations?|prompts?|secrets?|history|context|passwords?|everything) …3 (?:in|into|as) …3 (?:urls?|links?|images?|query|queries|subdomains?|dns|address|file ?names?)",
  ]),
  rules('sends data out', {}, [/https?:\/\/[^\s)"'<>]{1,200}=\s{1,3}(?:followed|plus|and|with|then)\b/gi]),
  rules('reveals personal data', { warned: true }, [
    '(?:tell|show|inform|give|send) …1 (?:other|another|all|any) (?:users?|customers?|people|persons?|teams?|tenants?|clients?) …3 (?:what|which|who|everything)|(?:look up|find out|dig up|guess|search for) …3 (?:home address(?:es)?|private address(?:es)?|phone numbers?|personal details|employers?|salary)',
  ]),
  rules('reads private files', { warned: true }, [
    /\bid_(?:rsa|dsa|ecdsa|ed25519)\b|\/etc\/(?:passwd|shadow)\b|\.aws\/credentials|\.(?:npmrc|netrc|pgpass|git-credentials)\b|\b(?:cat|print|read|send|open|dump|paste)\s[^\n]{0,30}\.env\b/gi,
  ]),
].flat();

const MONTH =
  '(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|maerz|marz|apr(?:il)?|ma[yi]|june?|juni|july?|juli|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?|janvier|fevrier|mars|avril|juin|juillet|aout|septembre|octobre|novembre|decembre|enero|febrero|marzo|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)';
/** Months in Italian, Portuguese and Dutch that differ from those in `MONTH`. */
const MORE_MONTHS =
  '(?:genn?aio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|janeiro|fevereiro|marco|maio|junho|julho|setembro|outubro|dezembro|januari|februari|maart|mei|augustus)';
const YEAR = '(?<year>(?:19|20)\\d\\d)';
/** Day with month and year. */
const DATE = `(?:\\d{1,2}(?:st|nd|rd|th|er)?\\.? (?:of |de )?(?:${MONTH}|${MORE_MONTHS})\\.?,? (?:de )?${YEAR}|${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?,? ${YEAR.replace('year', 'year2')}|\\d{1,2}[./-]\\d{1,2}[./-]${YEAR.replace('year', 'year3')}|${YEAR.replace('year', 'year4')}[-/]\\d{2}[-/]\\d{2})`;
const BORN =
  '(?:born(?: on)?|date of birth|birth ?date|birthday|d\\.?o\\.?b\\.?|geboren(?: am)?|geburtsdatum|geb\\.?(?: am)?|nee? le|date de naissance|naci(?:o|d[oa]) el|fecha de nacimiento|nat[oa] il|nascid[oa] (?:em|a)|data di nascita|data de nascimento|geboren op|fodd|fodt)';
/** Allows words, punctuation and lowercase letters between "born" and the date. */
const BIRTH = new RegExp(`\\b${BORN}(?!\\w)[^.!?\\n\\d]{0,40}?${DATE}(?!\\d)`, 'giu');
/** "12 March 1979 is the birthday of …", "(* 12.3.1979)". */
const BIRTH_BEHIND = new RegExp(
  `(?<!\\d)${DATE}(?!\\d)[^.!?\\n\\d]{0,25}?\\b(?:date of birth|birth ?date|birthday|d\\.?o\\.?b|geburtsdatum|date de naissance|fecha de nacimiento)\\b`,
  'giu',
);
const BORN_SIGN = new RegExp(`\\* ?${DATE}(?!\\d)`, 'giu');

/** Two or three capitalized words, with optional particles between them. */
const NAME =
  /(?<![\p{L}\p{N}])\p{Lu}[\p{Ll}'’-]{1,20}(?: (?:\p{Lu}\.|de|van|von|da|del|la|di|bin|al))*(?: \p{Lu}[\p{Ll}'’-]{1,25}){1,2}(?![\p{L}\p{N}])/gu;
const TITLE =
  /\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Herr|Frau|Mme|M|Sr|Sra|Se[nñ]ora?|patient|customer|client|employee|user|tenant)\b\.? ?$/i;

/** Words in names of places, works and companies, and words that begin a sentence before a name. */
const NO_PERSON =
  /^(?:the|a|an|in|on|at|of|and|ship|send|deliver|empire|state|white|house|building|tower|museum|university|college|school|hotel|bank|station|park|street|road|avenue|lane|square|place|court|drive|boulevard|way|city|county|united|states|kingdom|north|south|east|west|new|old|high|main|prime|minister|president|king|queen|company|inc|corp|ltd|gmbh|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|rue|calle|via|avenida|rua|sesame|wall|abbey|penny|baker|downing|pennsylvania|nightmare|elm|sherlock|arthur)$/i;

const SUFFIXES =
  'street|st|road|rd|avenue|ave|lane|ln|drive|dr|court|ct|boulevard|blvd|way|square|sq|terrace|close|crescent|parkway|pkwy|highway|hwy|alley|row|gardens|grove|place|pl';
/** Street suffixes in the usual capitalizations: "Street", "street", "STREET". */
const SUFFIX = `(?:${SUFFIXES.split('|')
  .map((word) => `[${word.charAt(0).toUpperCase()}${word.charAt(0)}]${word.slice(1)}|${word.toUpperCase()}`)
  .join('|')})`;
/** House number with a street: "14 Elm Street", "Hauptstraße 12", "8 rue de la Paix", "Calle Mayor 3". */
const STREETS: readonly RegExp[] = [
  new RegExp(
    `(?<![\\p{L}\\p{N}]|\\d[.,])\\d{1,5}[A-Za-z]?,? (?:[NSEW]\\.? )?(?:\\p{Lu}[\\p{L}'’.-]{1,25} ){1,3}${SUFFIX}(?![\\p{L}])`,
    'gu',
  ),
  // "lives at 14 elm street"
  new RegExp(
    `\\b(?:liv(?:es?|ed|ing)|resid(?:es?|ed|ing)|address(?: is|:)?|ship|deliver|send) (?:(?:at|in|on|to) )?\\d{1,5}[a-z]? (?:[a-z]{2,20} ){1,3}(?:${SUFFIXES})(?![\\p{L}])`,
    'giu',
  ),
  /(?<![\p{L}])(?!(?:During|Spring|String|Bring|Ring|Scoring|Offspring) )\p{Lu}[\p{Ll}-]{1,30}(?:stra(?:ss|ß)e|str\.|weg|platz|allee|gasse|ring|damm|ufer|straat|laan|plein|gracht|kade|gatan|vagen|gade|gata|vej|veien|katu|utca) \d{1,3}[a-z]?(?![\p{L}\d])(?! ?[%\p{Ll}]{2,})/gu,
  /(?<![\p{L}\p{N}])\d{1,4},? (?:bis |ter )?(?:[Rr]ue|[Aa]venue|[Bb]oulevard|[Pp]lace|[Cc]hemin|[Ii]mpasse|[Qq]uai|[Aa]llee|[Cc]ours|[Rr]oute) (?:de |du |des |d['’]|la |le |l['’])*\p{Lu}[\p{L}'’-]{1,25}/gu,
  /(?<![\p{L}])(?:[Cc]alle|C\/|[Aa]venida|[Aa]v\.|[Pp]aseo|[Cc]arrer|[Vv]ia|[Vv]iale|[Cc]orso|[Rr]ua|[Tt]ravessa|[Pp]laza|[Pp]raca|[Pp]iazza|[Uu]l\.|[Uu]lica)(?: (?:de|del|la|los|las|di|da|das|do|dos|della|dei))* \p{Lu}[\p{L}'’-]{1,25}(?: \p{Lu}[\p{L}'’-]{1,25})?,? (?:n\.? ?)?\d{1,4}(?!\d)/gu,
  /(?<![\p{L}])\p{Lu}[\p{L}'’-]{1,25} (?:Caddesi|Sokak|Sokagi|Cd\.|Sk\.|utca|ut|ter),? (?:[Nn]o:? ?)?\d{1,4}(?!\d)/gu,
  // "9 Harbour View": suffixes that are also common words.
  /(?<![\p{L}\p{N}])\d{1,5}[A-Za-z]?,? (?:\p{Lu}[\p{L}'’.-]{1,25} ){1,3}(?:View|Hill|Rise|Mews|Walk|Quay|Wharf|Green|Heights|Ridge|Circle|Loop|Trail|Path|Parade|Esplanade|Broadway|Gate|Yard)(?![\p{L}])/gu,
  // Any street name with number, postcode and town: "Nyhavn 12, 1051 København".
  /(?<![\p{L}])\p{Lu}[\p{L}.'’-]{2,30}(?: \p{L}[\p{L}.'’-]{1,20}){0,3} \d{1,4} ?[A-Za-z]?, (?:[A-Z]{1,2}-)?\d{4,5}(?:-\d{3})?(?: [A-Z]{2})? \p{Lu}\p{Ll}+/gu,
  // Number, street, town and British postcode.
  /(?<![\p{L}\p{N}])\d{1,4}[A-Za-z]?,? \p{Lu}[\p{L}'’.-]{1,25}[\p{L}'’., -]{0,60}? [A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/gu,
  // "lives at 9 Harbour …"
  /(?:\b(?:lives?|lived|living|resides?|residing|home address(?: is|:)) (?:at|in|on)|\b(?:wohnt|habite|vive|abita|woont)(?: (?:at|in|au|en|a|al))?) (?:number |no\.? ?)?\d{1,5}[A-Za-z]?,?(?: \p{Lu}[\p{L}'’-]{2,25}){1,3}/gu,
];
const LIVES =
  /\b(?:lives?|lived|living|resides?|residing|residence|home address|delivery address|address(?: is|:)|ship(?:ped)? (?:it )?to|deliver(?:ed)? (?:it )?to|send (?:it )?to|moved to|(?:ship|deliver|send|post|mail|bill) (?:the |it |this |a )?\w{0,20} ?to|wohnt|wohnhaft|anschrift|habite|demeure|viv[ei](?: (?:en|a|in|na))?|abita|mora na|domicili\w+|mieszka|woont)\b/i;
/** Famous addresses, which identify nobody. */
const PUBLIC_PLACES = /\b(?:10 downing street|1600 pennsylvania avenue|221b baker street)\b/i;

/** Age in years after which a person is assumed dead, so that the date is history. */
const MAX_AGE_YEARS = 110;

/**
 * Finds sentences that identify a person: a name with the full birth date of someone possibly alive, or a name (or a word for living
 * somewhere) with a house number and street. Both are also common in harmless texts, so they are held for review instead of redacted.
 * Linear in the text's length.
 */
export function personalRecords(text: string, today = new Date()): ScreenFinding[] {
  const findings: ScreenFinding[] = [];
  for (const written of sentencesOf(text)) {
    const view = plainView(written);
    const sentence = view.text;
    const birth = birthIn(sentence, today);
    const asWritten = (part: string) => {
      const start = sentence.indexOf(part);
      return written.slice(view.from(start), view.to(start + part.length));
    };
    if (birth !== null && (namesIn(sentence) || TITLED.test(sentence)))
      findings.push({
        family: 'privacy_leak',
        rule: 'names a person with their date of birth',
        matched: asWritten(birth),
      });
    const street = streetIn(sentence);
    if (street !== null && isOfPerson(sentence, street, today))
      findings.push({
        family: 'privacy_leak',
        rule: 'names a person with their street address',
        matched: asWritten(street),
      });
    if (findings.length > 0) break;
  }
  return findings;
}

const TITLED = /\b(?:Mr|Mrs|Ms|Dr|Herr|Frau|Mme)\.? \p{Lu}\p{Ll}+/u;

function birthIn(sentence: string, today: Date): string | null {
  for (const pattern of [BIRTH, BIRTH_BEHIND, BORN_SIGN]) {
    for (const match of sentence.matchAll(pattern)) {
      const { year, year2, year3, year4 } = match.groups ?? {};
      const born = Number(year ?? year2 ?? year3 ?? year4);
      if (DEFINES.test(sentence.slice(match.index + match[0].length))) continue;
      if (today.getUTCFullYear() - born <= MAX_AGE_YEARS) return match[0];
    }
  }
  return null;
}

/**
 * Returns true for a possible home address: its sentence names a person or says that someone lives there, and mentions no year too long
 * ago.
 */
function isOfPerson(sentence: string, street: string, today: Date): boolean {
  const rest = sentence.replace(street, ' ');
  for (const match of rest.matchAll(PAST_YEAR)) {
    if (today.getUTCFullYear() - Number(match[1]) > MAX_AGE_YEARS) return false;
  }
  return LIVES.test(sentence) || namesIn(rest);
}

/** Continuation after a birth date in an encyclopedia: "(born 12 March 1979) is an English musician". */
const DEFINES =
  /^[^()\n]{0,60}\)? (?:is|was) an? (?:(?:[a-z]+|\p{Lu}\p{Ll}+)[- ]){0,2}?\p{Lu}\p{Ll}{2,}(?:an|ish|ese|ch|ic|lian|i|er|ek)(?:[- ]\p{Lu}\p{Ll}+)? (?!patient|customer|client|tenant|employee|user|applicant|student|resident|citizen|member|national|suspect|witness|passenger|guest)\p{Ll}+/u;

const PAST_YEAR =
  /(?:\b(?:in|since|from|until|till|around|before|after|about|by|between|of|to) |\()(1\d{3})\b(?! \p{Lu})/gu;

function streetIn(sentence: string): string | null {
  for (const pattern of STREETS) {
    const match = sentence.match(pattern)?.find((street) => !PUBLIC_PLACES.test(street));
    if (match !== undefined) return match;
  }
  return null;
}

/** Returns true if a sentence contains a name that is not of a place, a work or a company. */
function namesIn(sentence: string): boolean {
  for (const match of sentence.matchAll(NAME)) {
    const words = match[0].split(' ').filter((word) => /^\p{Lu}/u.test(word));
    if (TITLE.test(sentence.slice(0, match.index))) return true;
    const person = words.filter((word) => !NO_PERSON.test(word));
    if (person.length >= 2 && person.length === words.length) return true;
    // A word that merely begins the sentence precedes the name ("Ship Tom Baker …").
    if (person.length >= 2 && NO_PERSON.test(words[0] ?? '') && match.index === 0) return true;
  }
  return false;
}

/** Splits a text at punctuation that ends a sentence, but not after a title or an initial. Long parts are truncated. */
function sentencesOf(text: string): string[] {
  return text
    .split(/(?<!\b(?:Mr|Mrs|Ms|Dr|Prof|St|str|No|Nr|geb|ul|Av|\p{Lu})\.)(?<=[.!?])\s+(?=[\p{Lu}"'(])|\n+/u)
    .flatMap((sentence) => sentence.match(/.{1,600}/gs) ?? []);
}
