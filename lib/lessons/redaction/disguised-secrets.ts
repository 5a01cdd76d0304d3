import { decodeRot13, plainView } from '../normalize-text.ts';
import { byPattern, type Finder, type Found, looksRandom, withoutTrailing } from './find-by-pattern.ts';
import { isTechnical } from './prose-secrets.ts';

/** Keys with a known prefix. Only these are searched in text that must first be decoded. */
const KNOWN_KEYS =
  /(?<![A-Za-z0-9])(?:sk-[\w-]{16,200}|gh[pousr]_[A-Za-z0-9]{20,200}|github_pat_\w{20,200}|glpat-[\w-]{16,100}|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])|xox[abposr]-[\w-]{16,200}|[rs]k_(?:live|test)_\w{16,200}|AIza[\w-]{30,60}|npm_\w{30,60}|hf_\w{20,60}|hone_[\w-]{20,100}|eyJ[\w-]{8,500}\.[\w-]{8,2000}\.[\w-]{8,500})/g;

/** "Password" in other languages and spellings, as written in the plain view of a text, followed by the value. */
const NAMES = plainView(
  'пароль|Пароль|пароля|Пароля|密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|كلمة المرور|كلمة السر|סיסמה|पासवर्ड|hasło|Hasło|haslo|sifre|parola',
).text;
const NAMED = new RegExp(
  `(?:${NAMES}|p[a4@][s5$]{2}(?:w[o0]rd|wd|phrase)|p[ .-]a[ .-]s[ .-]s[ .-]w[ .-]o[ .-]r[ .-]d)(?:[^\\x21-\\x7e]|[:=]){0,12}(?:(?:is|was|to|jest|est)\\s{1,3})?(?<part>(?:(?!["'\`,;()[\\]{}<>\\\\])[\\x21-\\x7e]){6,64})`,
  'dgiu',
);

/** Maximum length of a run that is decoded. Longer runs are cut. */
const MAX_RUN_LENGTH = 8_000;

/** Finders for disguised secrets: encoded, spaced out, split, reversed, or in ROT13. */
export const DISGUISED_FINDERS: readonly Finder[] = [
  (text) => encodedRuns(text).flatMap(({ run, start, end }) => (hasSecret(run) ? [keyAt(start, end)] : [])),
  (text) => keysIn(decodeRot13(text)).map(({ start, end }) => keyAt(start, end)),
  (text) =>
    keysIn(Array.from({ length: text.length }, (_, at) => text[text.length - 1 - at]).join('')).map(({ start, end }) =>
      keyAt(text.length - end, text.length - start),
    ),
  (text) => inView(text, withoutJoints(text)),
  (text) => spreadRuns(text).flatMap(({ run, start, end }) => (keysIn(run).length > 0 ? [keyAt(start, end)] : [])),
  byPattern('key', /(?<![\w+/=.@#-])(?<part>[A-Za-z0-9+/_-]{28,200}={0,2})(?![\w+/=.@-])/dg, isRandomKey),
  byPattern('password', NAMED, isMixed),
];

function keyAt(start: number, end: number): Found {
  return { kind: 'key', start, end };
}

function keysIn(text: string): { start: number; end: number }[] {
  return Array.from(text.matchAll(KNOWN_KEYS), ({ 0: key, index }) => ({ key, start: index, end: index + key.length }))
    .filter(({ key }) => looksRandom(key) || /\d{4,}/.test(key) || key.startsWith('eyJ'))
    .map(({ start, end }) => ({ start, end }));
}

function hasSecret(text: string): boolean {
  return keysIn(text).length > 0 || ASSIGNED_FINDERS.some((find) => find(text).length > 0);
}

type Run = { run: string; start: number; end: number };

function encodedRuns(text: string): Run[] {
  const runsOf = (pattern: RegExp, decode: (run: string) => string): Run[] =>
    Array.from(text.matchAll(pattern), ({ 0: found, index }) => ({
      run: decode(found.slice(0, MAX_RUN_LENGTH)),
      start: index,
      end: index + found.length,
    }));
  return [
    ...runsOf(/(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}/g, (run) => Buffer.from(run, 'base64').toString('utf8')),
    ...runsOf(/(?<![0-9A-Za-z])(?:[0-9A-Fa-f]{2}){12,}(?![0-9A-Za-z])/g, (run) =>
      Buffer.from(run, 'hex').toString('utf8'),
    ),
    ...runsOf(/(?:%[0-9A-Fa-f]{2}|[\w.~-](?=%[0-9A-Fa-f]{2})){6,}[\w.~-]{0,200}/g, unpercented),
    ...runsOf(/(?:&#(?:\d{1,7}|x[0-9a-f]{1,6});){6,}/gi, unescaped),
  ];
}

function unpercented(run: string): string {
  return run.replaceAll(/%([0-9A-Fa-f]{2})/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function unescaped(run: string): string {
  return run.replaceAll(
    /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi,
    (_all, hex: string | undefined, decimal: string | undefined) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
    },
  );
}

/** Finds single letters and digits in a row, separated by the same character. */
function spreadRuns(text: string): Run[] {
  return Array.from(
    text.matchAll(/(?<![A-Za-z0-9_])[A-Za-z0-9]([ .\-:|])[A-Za-z0-9_-](?:\1[A-Za-z0-9_-]){10,}(?![A-Za-z0-9])/g),
    ({ 0: found, index }) => ({
      run: Array.from({ length: Math.ceil(found.length / 2) }, (_, at) => found[2 * at]).join(''),
      start: index,
      end: index + found.length,
    }),
  );
}

/** Removes the joints between the parts of a string, and returns the original position of each character. */
function withoutJoints(text: string): { text: string; offsets: number[] } {
  const offsets: number[] = [];
  let joined = '';
  let at = 0;
  const keep = (end: number) => {
    for (; at < end; at++) {
      joined += text[at];
      offsets.push(at);
    }
  };
  for (const { 0: joint, index } of text.matchAll(
    /["'`][ \t]{0,3}[+.&,]?[ \t]{0,3}(?:\\?\r?\n[ \t]{0,8})?["'`]|\\?\r?\n[ \t]{0,8}|\*{1,3}|`{1,2}|~~/g,
  )) {
    keep(index);
    at = index + joint.length;
  }
  keep(text.length);
  return { text: joined, offsets };
}

function inView(text: string, view: { text: string; offsets: number[] }): Found[] {
  if (view.text.length === text.length) return [];
  return keysIn(view.text).map(({ start, end }) =>
    keyAt(view.offsets[start] ?? text.length, (view.offsets[end - 1] ?? text.length - 1) + 1),
  );
}

/** Returns the entropy of a word in bits per character. */
function entropyOf(word: string): number {
  const counts = new Map<string, number>();
  for (const sign of word) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / word.length) * Math.log2(count / word.length), 0);
}

/** Returns true for a random key. Names, paths, checksums and ids look similar but are not secret. */
function isRandomKey(word: string, match: RegExpExecArray): boolean {
  const before = match.input.slice(Math.max(0, match.index - 24), match.index);
  if (/^(?:sha\d{1,3}|md5|run|req|msg|evt|trace|span|arn|urn|chatcmpl|resp)[-_]/i.test(word)) return false;
  if (/(?:sha-?\d*|hash|digest|commit|checksum|etag|integrity|\bid|protein|sequence)["':= ]{0,4}$/i.test(before))
    return false;
  if (!/[a-z]/.test(word) || !/[A-Z]/.test(word) || (word.match(/\d/g)?.length ?? 0) < 4) return false;
  if ((word.match(/[/_-]/g)?.length ?? 0) > 4) return false;
  if (/^[\x20-\x7e]+$/.test(Buffer.from(word, 'base64').toString('latin1'))) return false;
  return looksRandom(word) && entropyOf(word) >= 4;
}

function isMixed(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value) && (/[A-Z]/.test(value) || /[!#$%^&*]/.test(value));
}

const KEYS =
  'api[ _-]?key|secret(?:[_-]?(?:access[_-]?)?key)?|(?:access|auth|account|private|encryption|signing)[_-]?(?:key|token)|client[_-]?secret|token|credentials?';
const PASSWORDS =
  'pass(?:word|wd|phrase|code)|pwd|(?:db|database|user|admin|root|smtp|ftp|mail|login|sudo)[_-]?pass|(?<=--)pass';

/** Finders for keys and passwords assigned to a telling name (`api_key = …`, `"password": "…"`, `--token …`, "the password is …"). */
export const ASSIGNED_FINDERS: readonly Finder[] = [
  byPattern('key', assigned(KEYS), isKey),
  byPattern('password', assigned(PASSWORDS), isPassword),
  byPattern(
    'password',
    /\bpass(?:word|phrase|code)(?: code)? (?:is|was|were) {0,2}(?:set to |called |now )?["'`]?(?<part>[^\s"'`,;]{4,})/dgi,
    (value) => !isPlaceholder(value) && hasDigit(value) && !isTechnical(withoutTrailing(value, /[.?!:)]/)),
  ),
  byPattern('password', /\bPIN(?: code)?(?: is| was|:) {0,2}(?<part>\d{4,8})\b/dg),
];

/** Returns a pattern for names that end in one of these words, followed by an operator and the value. */
function assigned(names: string): RegExp {
  const name = `(?<![A-Za-z0-9])(?:[A-Za-z0-9]{1,30}[_.-]){0,4}[A-Za-z0-9]{0,20}?(?:${names})`;
  const sign = `(?:["'\`]?\\s{0,3}(?<sign>=>|:=|=(?!=)|:(?!:))\\s{0,3}|(?<=--[\\w-]{1,60}) )`;
  return new RegExp(`${name}${sign}(?<quote>["'\`]?)(?<part>[^\\s"'\`,;&<>]{4,})`, 'dgi');
}

function isKey(value: string, match: RegExpExecArray): boolean {
  if (isPlaceholder(value)) return false;
  if (value.length >= 8 && looksRandom(value)) return true;
  const isAssigned = isQuoted(match) || match.groups?.sign === '=';
  return isAssigned && value.length >= 12 && hasDigit(value) && /[a-z]/i.test(value);
}

function isPassword(value: string, match: RegExpExecArray): boolean {
  if (isPlaceholder(value)) return false;
  if (isQuoted(match) || match.groups?.sign !== ':') return true;
  // After a colon, the text is usually a sentence about passwords.
  return /^\d{4,}$/.test(value) || (hasDigit(value) && /[a-z]/i.test(value)) || /\w[!@#$%^&*]\w/.test(value);
}

function isQuoted(match: RegExpExecArray): boolean {
  return (match.groups?.quote ?? '') !== '';
}

/** Returns true for placeholders, requests for a secret, and code that reads one. */
function isPlaceholder(value: string): boolean {
  const word = withoutTrailing(value, /[.,:;!?)]/);
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
