import { byPattern, type Finder } from './finder.ts';
import { looksRandom } from './looks-random.ts';

/** "Password" and its synonyms in the languages that lessons are most often written in, as `plainView` writes them. */
const PASSWORD =
  '(?:pass ?(?:word|phrase|code)|passwd|pwd|pw|passwort|kennwort|mot de passe|contrasena|senha|wachtwoord|haslo)';
const KEY = '(?:(?:api|access|secret|auth|private|license|encryption) (?:key|token)|client secret|bearer token)';
const IS = '(?:is|was|are|were|lautet|ist|war|est|es|era)';

/** Parts of sentences that say something about a password, in the place where its value could stand. */
const STATES = new Set(
  (
    'a about absent accepted again all allowed also always an and any are as asked at back bad be because been being below blank blocked by ' +
    'cached case case-sensitive common compared compliant confidential correct correcta correcto definitely different either empty encrypted enough ' +
    'equal exactly expected falsch false field fine for forgotten from generated geheim given good gone hard hardcoded here hidden identical in ' +
    'incorrect incorrecta incorrecto incorrecte inside invalid it its kept kind known leaked likely long longer lost masked mandatory missing more ' +
    'my needed never new no none not nothing now null obligatoire obligatoria obligatorio obsolete of often okay old on one only open optional or ' +
    'our out outdated part plain plaintext possible present private probably protected public random read really required right safe salted same ' +
    'secret secure self-explanatory sensitive sent set short shown simple so some still stored strong stale such temporary text that the their ' +
    'there these this to too true unchanged undefined under unique unknown unsafe unset up used useless usually valid valide very visible weak what ' +
    'when where which with within without wrong yet your zu nicht noch zweimal abgelaufen gueltig ungueltig leer sicher richtig vorhanden incorreto'
  ).split(' '),
);

/** Words of sentences, which a passphrase of random words does not hold. */
const SENTENCE_WORDS =
  /\b(?:a|after|all|an|and|any|are|as|at|be|been|before|being|both|but|by|can|each|for|from|has|have|if|in|into|is|it|its|must|never|no|not|of|on|once|only|or|per|should|so|than|that|the|then|they|to|too|until|used|was|when|where|which|who|will|with|you)\b/i;

/** Words that announce a pair of a user and a password with a slash or a colon between them. */
const ANNOUNCES_PAIR = /\b(?:credentials?|log ?in|logged in|logon|sign in|signed in|account|basic auth|user|auth)\b/i;

/** Names that stand before a colon and are no user: schemes, and what begins a remark. */
const NO_USER =
  /^(?:https?|ftps?|file|mailto|urn|data|node|npm|jsr|git|ssh|tel|sms|about|javascript|note|warning|error|todo|fixme|hint|tip|example|answer|question|result|output|input|hello|attention|important|hinweis|achtung|user|assistant|system|step|line|std)$/i;

/**
 * Passwords, keys and codes that a sentence gives away ("password hunter2secret!", "the password is swordfish", "admin:letmein!",
 * "log in as admin / Pa55word"). A value that reads like a word of the sentence counts only where the sentence ends behind it.
 */
export const PROSE_SECRET_FINDERS: readonly Finder[] = [
  // password is "…", password '…', password `…`
  byPattern(
    'password',
    new RegExp(
      `\\b${PASSWORD}\\b(?: ${IS})?(?: (?:set|changed|reset) to)?[ :=]{1,3}(["'\`“„«])(?<part>[^"'\`“”„»\\n]{4,80})["'\`“”»]`,
      'dgi',
    ),
    isQuotedValue,
  ),
  // the password is swordfish, das Kennwort ist Sonnenblume
  byPattern(
    'password',
    new RegExp(`\\b${PASSWORD} ${IS} (?:(?:now|still|called|set to|jetzt) )?(?<part>[^\\s"'\`,;]{4,64})`, 'dgi'),
    (value, match) => isStatedValue(value, match),
  ),
  // the passphrase is correct horse battery staple
  byPattern(
    'password',
    /\bpass ?(?:phrase|word) (?:is|was|:) {0,2}(?<part>[a-z]{2,20}(?:[ -][a-z]{2,20}){3,7})(?=[.!?\n]|$)/dgi,
    (value) => !SENTENCE_WORDS.test(value),
  ),
  // password hunter2secret!, pw Winter#2023, set the password to changeme1, pass: toor1234
  byPattern(
    'password',
    new RegExp(
      `\\b(?:${PASSWORD}|pass(?=:))(?: (?:set )?(?:to|as|of))?[ :=]{1,3}(?<part>[^\\s"'\`,;()[\\]{}<>]{5,64})`,
      'dgi',
    ),
    isMixedValue,
  ),
  // passcode 48213, PIN 4821, one-time code 739204
  byPattern(
    'password',
    /\b(?:passcode|access code|door code|security code|(?:one-?time|verification|2fa|otp|login) (?:code|pin|password)|otp)(?: (?:is|was|of))?[ :]{1,3}(?<part>\d{4,10})(?![\w.,]\d|\d| (?:days?|hours?|minutes?|seconds?|characters?|digits?|users?|times)\b)/dgi,
  ),
  byPattern(
    'password',
    /(?<=\b(?:[Ee]nter|[Uu]se|[Uu]sing|[Ww]ith|[Mm]y|[Hh]is|[Hh]er|[Tt]heir|[Tt]he|[Tt]ype|[Vv]ia) )PIN(?: code)? (?:is )?(?<part>\d{4,8})(?!\d|[.,]\d| (?:digits|characters|attempts|times))/dg,
  ),
  // the API key is 9f8e…, access token Zk3Q…
  byPattern(
    'key',
    new RegExp(`\\b${KEY}(?: ${IS})?[ :=]{1,3}["'\`]?(?<part>[\\w+/=.-]{12,200})`, 'dgi'),
    (value) => /\d/.test(value) && (looksRandom(value.replace(/\.+$/, '')) || /^[0-9a-f]{16,}\.?$/i.test(value)),
  ),
  // anna:sommerzeit!, root:t0p$ecret; with a word that announces it also admin:letmein1
  byPattern(
    'password',
    /(?<![\w:/.@-])(?<part>(?<user>[A-Za-z][\w.-]{1,31}):(?<secret>[^\s:/"'`,;()<>[\]{}]{6,64}))(?![\w:/])/dg,
    isPair,
  ),
  // deploy:R3lease@build.example.com
  byPattern(
    'password',
    /(?<![\w:/.@-])[A-Za-z][\w.-]{1,31}:(?<part>[^\s:/@"'`]{4,64})(?=@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8})/dg,
    (value) => /[\d!$%^&*#]/.test(value),
  ),
  // log in as admin / Pa55word
  byPattern(
    'password',
    /\b(?:credentials?|log ?in|logged in|sign in|signed in|account|auth\w{0,12})\b[^.\n/]{0,30}? [\w.-]{2,32} ?\/ ?(?<part>[^\s/"'`,;()]{6,64})/dgi,
    isMixedValue,
  ),
];

function isQuotedValue(value: string): boolean {
  return !STATES.has(value.toLowerCase()) && !/[<>{}$[\]]|^\*+$|^x+$/i.test(value) && !/^(?:your|my|the) /i.test(value);
}

/** A value that stands where a sentence could also go on: one with a digit or sign in it, or a plain noun at the sentence's end. */
function isStatedValue(value: string, match: RegExpExecArray): boolean {
  const word = value.replace(/[.!?)]+$/, '');
  if (isMixed(word)) return true;
  if (!/^[\p{L}]{5,}$/u.test(word) || STATES.has(word.toLowerCase()) || isInflected(word)) return false;
  const after = match.input.slice(match.index + match[0].length);
  return word.length < value.length || /^(?:$|[,;)\n]|\s+(?:and|und|et|y)\b)/.test(after);
}

/** Participles, adverbs and adjectives by their ends, English and German: they say something about a password and are none. */
function isInflected(word: string): boolean {
  return (
    /(?:ed|ing|ly|able|ible|less|ful|ous|ive|ent|ant|al|ic|ary|ory|ive|(?<!f)ish|ier|en|lich|isch|bar|sam|ert|elt|ido|ida|ado|ada)$/i.test(
      word,
    ) || /^(?:ge|ver|be)\p{Ll}+t$/u.test(word)
  );
}

function isMixedValue(value: string): boolean {
  return isMixed(value.replace(/[.!?:)]+$/, ''));
}

/** Letters together with digits or signs, as passwords have them: no version, path, ordinal or number with a unit. */
function isMixed(word: string): boolean {
  if (word.length < 5 || !/\p{L}/u.test(word)) return false;
  if (/^[\p{L}]+(?:[-/'’]\p{L}+)*$/u.test(word)) return false;
  if (/^v?\d+(?:[.,:-]\d+)*[\p{L}%]{0,8}$/iu.test(word) || /^\p{L}+-\d{1,2}$/u.test(word)) return false;
  if (/^(?:your|my|os|process|env|config|settings|args|self|redacted)[._-]|[(){}[\]<>=]|^[$%]/i.test(word))
    return false;
  return /\d/.test(word) || /[!@#$%^&*]/.test(word.slice(1));
}

function isPair(_pair: string, match: RegExpExecArray): boolean {
  const { user = '', secret = '' } = match.groups ?? {};
  if (NO_USER.test(user)) return false;
  const before = match.input.slice(Math.max(0, match.index - 40), match.index);
  const value = secret.replace(/[.?]+$/, '');
  if (/^\d|^v?\d+[.\d]*|%$|^\p{L}+-?\d*\.\p{L}+$/u.test(value)) return false;
  const signed = /[!$%^&*#]/.test(value);
  if (ANNOUNCES_PAIR.test(before)) return signed || (/\d/.test(value) && /\p{L}/u.test(value));
  return signed && /\p{L}/u.test(value) && value.length >= 6;
}
