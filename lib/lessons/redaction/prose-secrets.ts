import { byPattern, type Finder, looksRandom, withoutTrailing } from './find-by-pattern.ts';

/** Words that describe a password where its value could appear, normalized as in `plainView`. */
const STATES = new Set(
  (
    'a about absent accepted again all allowed also always an and any anything are ascii as asked at back bad be because been being below better ' +
    'blank blocked bottom by cached case case-sensitive characters common compared complex compliant confidential correct correcta correcto crucial ' +
    'default definitely different double easier either empty encrypted enough equal everything exactly expected extra fake false falsch field final ' +
    'fine first for forgotten fragile from generated geheim given good gone gultig gueltig hard hardcoded harder here hidden identical in incorrect ' +
    'incorrecta incorrecto incorrecte incorreto inside integer invalid it its kept kind known last leaked leer likely long longer lost lowercase ' +
    'mandatory masked missing more my needed never new next nicht no noch none not nothing now null number obligatoire obligatoria obligatorio obscure ' +
    'obsolete of often okay old on once one only open optional or our out outdated part plain plain-text plaintext possible present private probably ' +
    'protected public random read ready really required reset richtig right robust safe safer salted same second secret secure self-explanatory ' +
    'sensitive sent set short shorter shown sicher simple single so some something somewhere stable stale still stored string strong stronger such ' +
    'temporary text that the their there these third this to too trivial true twice unchanged undefined under ungultig ungueltig unicode unique ' +
    'unknown unsafe unset up uppercase used useless usually valid valide very visible vorhanden weak weaker what when where which with within ' +
    'without worse wrong yet your zu zweimal abgelaufen'
  ).split(' '),
);

/** Nouns for the content of form fields, and pronouns that refer to it. */
const FORM_WORDS =
  /^(?:e?-?mail|user-?name|username|login|input|value|values|token|tokens|hash|hashes|them|these|those|both|either|whatever|another|other|others|anyone|someone|people|json|bytes|letters|digits|words?|credentials?|password|passphrase|passwords|details|data)$/i;

/** Names of standards, algorithms and tools that contain a number, alone or at the start of an adjective (`base64-encoded`). */
const TECHNICAL =
  /^(?:a?es|argon|base|blake|bcrypt|crc|css|curve|ec|ed|hs|html|https?|ipv|iso|java|latin|level|log|md|mp|node|ntlmv?|oauth|pbkdf|pkcs#?|php|ps|py|python|rc|rfc|ripemd|rs|rsa|scrypt|sha|smb|socks|sqlite|sslv?|step|tlsv?|totp|unicode|utf|web|windows|wpa)[-_/.]?\d+(?:[./_-]\d+)*(?:id|sum|url|crypt|hex|mb4|gcm|cbc)?(?:[-_][a-z]+\d*)*$|^\d+(?:-\p{L}+)+$/iu;

/** Function words of sentences. A passphrase of random words contains none of them. */
const SENTENCE_WORDS =
  /\b(?:a|after|all|an|and|any|are|as|at|be|been|before|being|both|but|by|can|each|for|from|has|have|if|in|into|is|it|its|must|never|no|not|of|on|once|only|or|per|should|so|than|that|the|then|they|to|too|until|used|was|when|where|which|who|will|with|you)\b/i;

/** Returns true for the name of a standard with its number and for an adjective that begins with a number (`12-character`). */
export function isTechnical(word: string): boolean {
  return TECHNICAL.test(word);
}

/** Returns true if the word ends like a participle, adverb or adjective in English, German or a Romance language. */
function isInflected(word: string): boolean {
  return (
    /(?:ed|ing|ly|able|ible|less|ful|ous|ive|ent|ant|al|ic|ary|ory|(?<!f)ish|ier|en|lich|isch|bar|sam|ert|elt|ido|ida|ado|ada)$/i.test(
      word,
    ) || /^(?:ge|ver|be)\p{Ll}+t$/u.test(word)
  );
}

/** Returns true for a quoted value unless it is a word about passwords, a placeholder or code. */
function isQuotedValue(value: string): boolean {
  return !STATES.has(value.toLowerCase()) && !/[<>{}$[\]]|^\*+$|^x+$/i.test(value) && !/^(?:your|my|the) /i.test(value);
}

/**
 * Checks a value at a position where the sentence could also continue. It must contain a digit or symbol, or be a plain noun at the end of
 * the sentence.
 */
function isStatedValue(value: string, match: RegExpExecArray): boolean {
  const word = withoutTrailing(value, /[.!?)]/);
  if (hasMixedCharacters(word)) return true;
  if (match.groups?.modal !== undefined || !isPlainWord(word)) return false;
  const after = match.input.slice(match.index + match[0].length);
  return word.length < value.length || /^(?:$|[,;)\n]|\s+(?:and|und|et|y)\b)/.test(after);
}

/** Checks a value between a verb of typing and "as the password": letters with digits or symbols, or a plain noun. */
function isTypedValue(value: string): boolean {
  return hasMixedCharacters(withoutTrailing(value, /[.?:)]/)) || isPlainWord(value);
}

/** Like `isTypedValue`, but without plain nouns. Punctuation that ends a sentence is not part of a value. */
function isMixedValue(value: string): boolean {
  return hasMixedCharacters(withoutTrailing(value, /[.!?:)]/));
}

/** Returns true for four or more random words: no function words, and no word about passwords except the first. */
function isPassphrase(value: string): boolean {
  const words = value.split(/[ -]/);
  return (
    !SENTENCE_WORDS.test(value) &&
    !words.some((word, at) => /(?:ed|ing|ly)$/i.test(word) || (at > 0 && STATES.has(word.toLowerCase())))
  );
}

function isPlainWord(word: string): boolean {
  return /^[\p{L}]{5,}$/u.test(word) && !STATES.has(word.toLowerCase()) && !FORM_WORDS.test(word) && !isInflected(word);
}

/**
 * Returns true for letters mixed with digits or symbols, as in passwords. Excludes versions, paths, ordinals, numbers with a unit and
 * technical names.
 */
export function hasMixedCharacters(word: string): boolean {
  if (word.length < 5 || !/\p{L}/u.test(word)) return false;
  if (/^[\p{L}]+(?:[-/'’]\p{L}+)*$/u.test(word)) return false;
  if (/^v?\d+(?:[.,:-]\d+)*[\p{L}%]{0,8}$/iu.test(word) || /^\p{L}+-\d{1,2}$/u.test(word)) return false;
  if (isTechnical(word)) return false;
  if (/^(?:your|my|os|process|env|config|settings|args|self|redacted)[._-]|[(){}[\]<>=]|^[$%]/i.test(word))
    return false;
  if (/^(?:https?:|\.{0,2}\/)|\.(?:json|ya?ml|tsx?|jsx?|py|txt|md|env|toml|ini|csv|html?|sql|sh)$/i.test(word))
    return false;
  // Names of variables and settings are not passwords.
  if (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(word) && /PASS|PWD|SECRET|KEY|TOKEN|USER/.test(word)) return false;
  return /\d/.test(word) || /[!@#$%^&*]/.test(word.slice(1));
}

/** "Password" and its synonyms in the most common languages of lessons, normalized as in `plainView`. */
const PASSWORD =
  '(?:pass ?(?:word|phrase|code)|passwd|pwd|pw|[a-z]{0,20}(?:passwort|kennwort)|zugangscode|mot de passe|mdp|contrasena|senha|wachtwoord|haslo|losenord|passord|adgangskode|salasana|(?:wi-?fi|wlan|wpa2?|network|hotspot) (?:key|code))';
const KEY =
  '(?:(?:api|access|secret|auth|private|license|encryption|signing|deploy|service|webhook|refresh|account|personal access) (?:key|token|secret)|client secret|shared secret|bearer token|(?:secret|token)(?= (?:is|was)\\b))';
/** Names of numeric codes that grant access. */
const CODE =
  "(?:pass ?code|(?:access|door|gate|alarm|entry|lock(?:er)?|unlock|safe|vault|security|recovery|backup|pairing|voicemail|verification|confirmation|two-?factor|2fa|mfa|sms|authentication|otp|login|one-?time)(?:['’]s)? (?:code|pin|password|combination)|zugangscode|geheimzahl|code (?:d'acces|secret)|codigo de (?:acceso|seguridad)|otp)";

/** Purpose or origin of a password: at most a few words between the noun and its verb. */
const ABOUT =
  "(?: (?:for|of|to|on|in|at|from|behind|fuer|fur|des|der|von|vom|zum|zur|im|am|pour|du|de|para|del) [^.,;:!?\\n]{1,40}?|,? (?:that |which )?(?:we|i|they|you|he|she|it|which|that)(?: [\\w']{1,20}){0,4}?)?";
const CHANGED = '(?:set|changed|reset|updated|rotated|switched|reverted|configured|initiali[sz]ed)';
const IS = `(?:(?:is|was|are|were|has been|had been|got|gets)(?: (?:now|still|currently|actually|just|simply|called))?(?: ${CHANGED}(?: back| over)? (?:to|as))?|(?:turn(?:s|ed) out|happen(?:s|ed)|seem(?:s|ed)|appear(?:s|ed)) to be|becomes?|became|equals|reads|lautete?|(?:ist|war)(?: jetzt| nun)?|est|etait|es|era|(?<modal>should be|must be|will be|has to be|had to be|expects?|starts with|contains))`;

/** Verb forms for entering a value into a field. */
const TYPING =
  '(?:typ(?:e[sd]?|ing)|enter(?:s|ed|ing)?|past(?:e[sd]?|ing)|put(?:s|ting)?|fill(?:s|ed|ing)?(?: in)?|input|submit(?:s|ted|ting)?|wr(?:ite|ote|iting))(?: in)?';
const USING = `(?:${TYPING}|us(?:e[sd]?|ing)|tr(?:y|ied|ies|ying)|suppl(?:y|ied|ies|ying)|giv(?:e[ns]?|ing)|gave|pass(?:es|ed|ing)?|sen(?:ds?|t|ding)|provid(?:e[sd]?|ing)|cho(?:ose[sn]?|osing|se|sen)|guess(?:es|ed|ing)?|pick(?:s|ed|ing)?|accept(?:s|ed|ing)?|answer(?:s|ed|ing)?|repl(?:y|ied|ies)|respond(?:s|ed)?|sa(?:y|id)|with|verwende\\w{0,3}|benutze?\\w{0,3}|nutze?\\w{0,3}|mit|utilis\\w{1,4}|avec|usa\\w{0,3}|con)`;
const DETERMINER = '(?:(?:the|a|an|my|his|her|its|their|our|your|this|that|das|dem|le|la|el|su|mon|son) )?';
const QUOTES = '["\'`“„«]?';
const VALUE = '(?<part>[^\\s"\'`,;]{4,64})';

/** Words that announce a user and a password separated by a slash or a colon. */
const ANNOUNCES_PAIR =
  /\b(?:credentials?|log ?in|logged in|logon|sign in|signed in|account|basic auth|user|auth|authenticat\w{1,5}|anmeld\w{0,5})\b/i;

/** Names before a colon that are not users: URL schemes and labels of remarks. */
const NO_USER =
  /^(?:https?|ftps?|file|mailto|urn|data|node|npm|jsr|git|ssh|tel|sms|about|javascript|note|warning|error|todo|fixme|hint|tip|example|answer|question|result|output|input|hello|attention|important|hinweis|achtung|user|assistant|system|step|line|std)$/i;

/**
 * Finds passwords, keys and codes in prose ("password hunter2secret!", "the password is swordfish", "admin:letmein!", "log in as admin /
 * Pa55word"). A value that could be an ordinary word matches only at the end of a sentence.
 */
export const PROSE_SECRET_FINDERS: readonly Finder[] = [
  passwords(isQuotedValue, [
    // password is "…", password '…', password `…`
    `\\b${PASSWORD}\\b(?:${ABOUT} ${IS})?(?: (?:set|changed|reset) to)?[ :=]{1,3}(["'\`“„«])(?<part>[^"'\`“”„»\\n]{4,80})["'\`“”»]`,
  ]),
  passwords(isStatedValue, [
    // the password is swordfish, das Kennwort ist Sonnenblume, the passphrase for the archive turned out to be Falke77
    `\\b${PASSWORD}\\b${ABOUT} ${IS} ${QUOTES}${VALUE}`,
  ]),
  passwords(isPassphrase, [
    // the passphrase is correct horse battery staple
    `\\bpass ?(?:phrase|word)${ABOUT} ?(?:is|was|:) {0,2}(?<part>[a-z]{2,20}(?:[ -][a-z]{2,20}){3,7})(?=[.!?\\n]|$)`,
  ]),
  passwords(isMixedValue, [
    // password hunter2secret!, pw Winter#2023, set the password to changeme1, pass: toor1234
    `\\b(?:${PASSWORD}|pass(?=:))(?: (?:set )?(?:back )?(?:to|as|of))?[ :=]{1,3}(?<part>[^\\s"'\`,;()[\\]{}<>]{5,64})`,
    // password for the mailbox: tintenfisch_3
    `\\b${PASSWORD}\\b${ABOUT} ?[:=] ?${QUOTES}${VALUE}`,
  ]),
  passwords(isStatedValue, [
    // set the password to swordfish, changed the password for the demo back to Falke77, das Passwort auf Falke77 setzen
    `\\b(?:set|chang\\w{1,3}|reset\\w{0,4}|updat\\w{1,3}|rotat\\w{1,3}|switch\\w{0,3}|revert\\w{0,3}|cambi\\w{1,4})\\b[^.,;:!?\\n]{0,40}?\\b${PASSWORD}\\b${ABOUT}(?: back| over)? (?:to|as|a|en) ${QUOTES}${VALUE}`,
  ]),
  passwords(isMixedValue, [`\\b${PASSWORD}\\b[^.,;:!?\\n]{0,40}? (?:auf|en|por) ${QUOTES}${VALUE}`]),
  passwords(isTypedValue, [
    // typed swordfish as the password, Falke77 als Passwort
    `\\b${USING} ${QUOTES}${VALUE}["'\`”]? (?:as|als|comme|como) ${DETERMINER}(?:[\\w-]{1,20} ){0,2}?${PASSWORD}\\b(?! (?:manager|store|field|hash))`,
  ]),
  passwords(isQuotedValue, [
    `\\b${USING} ["'\`“„«](?<part>[^"'\`“”„»\\n]{4,80})["'\`“”»] (?:as|als|comme|como) ${DETERMINER}(?:[\\w-]{1,20} ){0,2}?${PASSWORD}\\b`,
  ]),
  passwords(isTypedValue, [
    // typed swordfish into the password field, the password prompt accepted Falke77
    `\\b${TYPING} ${QUOTES}${VALUE}["'\`”]? (?:in|into|at|under) ${DETERMINER}(?:[\\w-]{1,20} ){0,2}?${PASSWORD}\\b`,
  ]),
  passwords(isMixedValue, [
    `\\b${PASSWORD} (?:field|box|prompt|input|form|dialog)[^.,;:!?\\n]{0,20}? (?:with|accept(?:s|ed)|tak(?:es)|took|want(?:s|ed)|expect(?:s|ed)) ${QUOTES}${VALUE}`,
    // asked for the password, enter Falke77
    `\\b(?:ask|prompt|request)(?:s|ed|ing)?(?: \\w{1,20}){0,2} for ${DETERMINER}(?:[\\w-]{1,20} ){0,2}?${PASSWORD}\\b[^.!?\\n]{0,30}?\\b${USING}(?: with| in)? ${QUOTES}${VALUE}`,
  ]),
  passwords(isQuotedWord, [
    // Falke77 is the password, 'swordfish' was the password
    `(?<![^\\s(])["'\`“„«](?<part>[^"'\`“”„»\\s]{4,64})["'\`“”»] (?:is|was|works as|worked as|turned out to be|ist|war|est|es) (?:the|its|my|our|das|le|la)(?: [\\w-]{1,20}){0,2}? ${PASSWORD}\\b(?! (?:manager|hash|policy|field))`,
  ]),
  passwords(isMixedValue, [
    `(?<![^\\s"'\`(])${VALUE}["'\`]? (?:is|was|works as|worked as|turned out to be|ist|war|est|es) (?:the|its|my|our|das|le|la)(?: [\\w-]{1,20}){0,2}? ${PASSWORD}\\b(?! (?:for|of)? ?(?:manager|hash|policy))`,
  ]),
  passwords(undefined, [
    // passcode 48213, one-time code 739204, the gate code for visitors is 4821; PIN 4821, the PIN of the card is 4821
    `\\b${CODE}(?:(?:${ABOUT} ${IS}| of)?[ :,(=]{1,3}|${ABOUT} ?[:=] ?)(?<part>\\d{3,5}[ -]\\d{3,5}|\\d{1,2}(?:-\\d{1,2}){2,3}|\\d{4,10})(?![\\w.,]\\d|\\d| (?:days?|hours?|minutes?|seconds?|characters?|digits?|users?|times|lines?|bytes?|bits?|words?|attempts?)\\b)`,
    /\b(?:PIN|[Pp]in code|code PIN)(?:[ -](?:[Cc]ode|number))?(?: (?:for|of|to|on|der|des|zum|fur|pour|de|del|para) [^.,;:!?\n]{1,40}?)?(?: (?:is|was|set to|lautet|ist|est|es|turned out to be|changed to)){1,2}:? (?<part>\d{4,8})(?!\d|[.,]\d| (?:digits|characters|attempts|times))/dg,
    /(?<=\b(?:[Ee]nter|[Ee]ntered|[Tt]yped|[Tt]ried|[Uu]sed|[Uu]se|[Uu]sing|[Ww]ith|[Mm]y|[Hh]is|[Hh]er|[Tt]heir|[Tt]he|[Tt]ype|[Vv]ia|[Mm]it|[Dd]er) )PIN(?: code)? (?:is )?(?<part>\d{4,8})(?!\d|[.,]\d| (?:digits|characters|attempts|times))/dg,
    /\bPIN(?: code)?(?:,|:| ?\(| ?=) ?(?<part>\d{4,8})(?![\w-]|[.,]\d)/dg,
    // enter 4821 as the PIN, typed 739204 into the passcode field
    new RegExp(
      `(?<![\\w.,-])(?<part>\\d{4,8}) (?:as|is|was|into|for|als) ${DETERMINER}(?:[\\w-]{1,20} )?(?:PIN\\b|pin code|${CODE})`,
      'dg',
    ),
    // mysql -u root -pVALUE, sshpass -p VALUE
    /\b(?:mysql\w{0,10}|mariadb\w{0,10}|7za?)\b[^\n]{0,80}? -p(?!ort\b|rotocol\b)(?<part>[^\s"'`<>$-][^\s"'`<>]{3,63})/dg,
    /\b(?:sshpass -p|docker login [^\n]{0,80}?-p|(?:un)?zip [^\n]{0,40}?-P|redis-cli [^\n]{0,60}?-a|mosquitto_\w{3} [^\n]{0,60}?-P|ldapsearch [^\n]{0,80}?-w) ["'`]?(?<part>[^\s"'`<>$-][^\s"'`<>]{3,63})/dg,
  ]),
  // the API key is 9f8e…, access token Zk3Q…, the client secret we were given is k9Jf…
  byPattern(
    'key',
    new RegExp(`\\b${KEY}(?:${ABOUT} ${IS})?[ :=]{1,3}["'\`]?(?<part>[\\w+/=.-]{12,200})`, 'dgi'),
    (value) => /\d/.test(value) && (looksRandom(value.replace(/\.+$/, '')) || /^[0-9a-f]{16,}\.?$/i.test(value)),
  ),
  passwords(isPair, [
    // anna:sommerzeit!, root:t0p$ecret; after a word that announces a pair also admin:letmein1
    /(?<![\w:/.@-])(?<part>(?<user>[A-Za-z][\w.-]{1,31}):(?<secret>[^\s:/"'`,;()<>[\]{}]{6,64}))(?![\w:/])/dg,
  ]),
  passwords(hasDigitOrSymbol, [
    // deploy:R3lease@build.example.com
    /(?<![\w:/.@-])[A-Za-z][\w.-]{1,31}:(?<part>[^\s:/@"'`]{4,64})(?=@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8})/dg,
  ]),
  passwords(isMixedValue, [
    // log in as admin / Pa55word, the credentials are admin and Pa55word, signed in as admin with Pa55word
    /\b(?:credentials?|log ?in|logged in|sign in|signed in|account|auth\w{0,12}|connect(?:ed|ing)?)\b[^.\n/]{0,30}? [\w.-]{2,32} ?\/ ?(?<part>[^\s/"'`,;()]{6,64})/dgi,
    /\b(?:credentials?|login|log(?:ged|ging)? in|sign(?:ed|ing)? in|authenticated?)\b[^.\n,]{0,20}? ["'`(]?[\w.@-]{2,40}["'`]?(?:,| and| plus| with| using) ["'`]?(?<part>[^\s"'`,;()]{6,64})/dgi,
  ]),
].flat();

function isQuotedWord(value: string): boolean {
  return isQuotedValue(value) && isTypedValue(value);
}

function hasDigitOrSymbol(value: string): boolean {
  return /[\d!$%^&*#]/.test(value);
}

/** Creates a finder for each pattern. All have the same check. Texts are compiled to global, case-insensitive patterns. */
function passwords(accept: Parameters<typeof byPattern>[2], patterns: readonly (string | RegExp)[]): Finder[] {
  return patterns.map((pattern) =>
    byPattern('password', typeof pattern === 'string' ? new RegExp(pattern, 'dgi') : pattern, accept),
  );
}

function isPair(_pair: string, match: RegExpExecArray): boolean {
  const { user = '', secret = '' } = match.groups ?? {};
  if (NO_USER.test(user)) return false;
  const before = match.input.slice(Math.max(0, match.index - 40), match.index);
  const value = withoutTrailing(secret, /[.?]/);
  if (/^\d|^v?\d+[.\d]*|%$|^\p{L}+-?\d*\.\p{L}+$/u.test(value)) return false;
  const signed = /[!$%^&*#]/.test(value);
  if (ANNOUNCES_PAIR.test(before)) return signed || (/\d/.test(value) && /\p{L}/u.test(value));
  return signed && /\p{L}/u.test(value) && value.length >= 6;
}
