import { byPattern, type Finder, looksRandom } from './finder.ts';
import { isTechnical } from './prose-secrets.ts';

const KEYS =
  'api[ _-]?key|secret(?:[_-]?(?:access[_-]?)?key)?|(?:access|auth|account|private|encryption|signing)[_-]?(?:key|token)|client[_-]?secret|token|credentials?';
const PASSWORDS =
  'pass(?:word|wd|phrase|code)|pwd|(?:db|database|user|admin|root|smtp|ftp|mail|login|sudo)[_-]?pass|(?<=--)pass';

/** Keys and passwords as values of a name that says so (`api_key = …`, `"password": "…"`, `--token …`, "the password is …"). */
export const ASSIGNED_FINDERS: readonly Finder[] = [
  byPattern('key', assigned(KEYS), isKey),
  byPattern('password', assigned(PASSWORDS), isPassword),
  byPattern(
    'password',
    /\bpass(?:word|phrase|code)(?: code)? (?:is|was|were) {0,2}(?:set to |called |now )?["'`]?(?<part>[^\s"'`,;]{4,})/dgi,
    (value) => !isPlaceholder(value) && hasDigit(value) && !isTechnical(value.replace(/[.?!:)]+$/, '')),
  ),
  byPattern('password', /\bPIN(?: code)?(?: is| was|:) {0,2}(?<part>\d{4,8})\b/dg),
];

/** Names that end in one of these words, a sign, and the value. */
function assigned(words: string): RegExp {
  const name = `(?<![A-Za-z0-9])(?:[A-Za-z0-9]{1,30}[_.-]){0,4}[A-Za-z0-9]{0,20}?(?:${words})`;
  const sign = `(?:["'\`]?\\s{0,3}(?<sign>=>|:=|=(?!=)|:(?!:))\\s{0,3}|(?<=--[\\w-]{1,60}) )`;
  return new RegExp(`${name}${sign}(?<quote>["'\`]?)(?<part>[^\\s"'\`,;&<>]{4,})`, 'dgi');
}

function isKey(value: string, match: RegExpExecArray): boolean {
  if (isPlaceholder(value)) return false;
  if (value.length >= 8 && looksRandom(value)) return true;
  const isGiven = isQuoted(match) || match.groups?.sign === '=';
  return isGiven && value.length >= 12 && hasDigit(value) && /[a-z]/i.test(value);
}

function isPassword(value: string, match: RegExpExecArray): boolean {
  if (isPlaceholder(value)) return false;
  if (isQuoted(match) || match.groups?.sign !== ':') return true;
  // After a colon stands most often a sentence about passwords.
  return /^\d{4,}$/.test(value) || (hasDigit(value) && /[a-z]/i.test(value)) || /\w[!@#$%^&*]\w/.test(value);
}

function isQuoted(match: RegExpExecArray): boolean {
  return (match.groups?.quote ?? '') !== '';
}

/** What stands in a secret's place, asks for one, or is code that gets one. */
function isPlaceholder(value: string): boolean {
  const word = value.replace(/[.,:;!?)]+$/, '');
  if (/[(){}[\]]|^[$%]|^[x.*•-]+$/i.test(value)) return true;
  if (
    /^(?:your|my|the|some|self|os|env|process|config|settings|args|example|sample|placeholder)(?:[._-]|$)/i.test(word)
  )
    return true;
  if (!hasDigit(word) && /pass|pwd|secret|token|key|input|user|hash|[a-z]\.[a-z]/i.test(word)) return true;
  return /^(?:none|null|nil|true|false|undefined|string|str|text|optional|required|empty|blank|missing|invalid|expired|wrong|value|changed?|reset|hidden|protected|only|must|should)$/i.test(
    word,
  );
}

function hasDigit(text: string): boolean {
  return /\d/.test(text);
}
