import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretLintRuleContext, SecretLintSourceCode } from '@secretlint/types';
import { KEY_PREFIX } from '#lib/providers/call/redact-secrets.ts';
import { ASSIGNED_FINDERS, DISGUISED_FINDERS } from './disguised-secrets.ts';
import {
  byPattern,
  type Finder,
  type Found,
  looksRandom,
  type RedactedKind,
  withoutTrailing,
} from './find-by-pattern.ts';
import { hasMixedCharacters, PROSE_SECRET_FINDERS } from './prose-secrets.ts';

/** Maximum characters between the first and last line of a key. A 16,384-bit key has 12,600. */
const MAX_PRIVATE_KEY_LENGTH = 20_000;

/** Finds whole private key blocks in PEM form. If the last line is missing, the block ends where the key characters end. */
function findPrivateKeys(text: string): Found[] {
  const found: Found[] = [];
  for (const begin of text.matchAll(/-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g)) {
    const after = begin.index + begin[0].length;
    const next = text.indexOf('-----BEGIN', after);
    const rest = text.slice(after, Math.min(after + MAX_PRIVATE_KEY_LENGTH, next === -1 ? text.length : next));
    const last = /-----END [A-Z0-9 ]{1,60}-----/.exec(rest);
    const body = last === null ? (UNENDED.exec(rest)?.[0] ?? '') : rest.slice(0, last.index);
    // Prose that mentions such a block is not a key.
    if (!/[A-Za-z0-9+/=]{24,}/.test(body)) continue;
    found.push({ kind: 'private key', start: begin.index, end: after + body.length + (last?.[0].length ?? 0) });
  }
  return found;
}

const UNENDED = /^(?:(?:\s|\\n){0,4}[A-Za-z0-9+/=]{16,})+(?:\s[A-Za-z0-9+/=]{1,15}(?=\s|$))?/;

/** Session cookie names of web frameworks. */
const NAMES =
  '(?:PHPSESSID|JSESSIONID|ASPSESSIONID\\w{0,12}|ASP\\.NET_SessionId|connect\\.sid|(?:__(?:Host|Secure)-)?[\\w-]{0,30}sess(?:ion)?(?:[_-]?(?:id|token|key))?|(?:[\\w-]{1,20}\\.)?sid|csrf_?token|xsrf-token|remember[_-]\\w{0,40}|wordpress_logged_in\\w{0,40}|(?:[\\w-]{1,20}[._-])?(?:auth|access|login|sso|session|refresh)[_-]?(?:token|cookie|ticket)|\\.?AspNet(?:Core)?\\.[\\w.]{1,40}|\\.ASPXAUTH|jwt|SSESS\\w{0,40})';

const ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|secure|httponly|priority|partitioned)$/i;

/** Finds session cookies by name, in a header, or announced in a sentence. */
const SESSION_COOKIE_FINDERS: readonly Finder[] = [
  byPattern(
    'key',
    new RegExp(`(?<![\\w-])${NAMES}["'\`]?[=:] {0,2}["'\`]?(?<part>[\\w%.+/=~-]{10,})`, 'dgi'),
    (value) => /\d/.test(value) && !/^\d+$/.test(value),
  ),
  byPattern(
    'key',
    /\bsession[ -]?(?:cookie|id|token|key)(?: (?:is|was|of|value))?[ :="'`(]{1,4}(?<part>[\w%.+/=-]{10,})/dgi,
    (value) => /\d/.test(value) && /[a-z]/i.test(value),
  ),
  // The auth cookie 7f3e…, a cookie named sid with the value 9xQ2…
  byPattern(
    'key',
    /\b(?:cookies?|session (?:cookie|id|token|key))\b[^.;=\n]{0,40}? ["'`(]?(?=[a-z_%.+/~:-]{0,40}\d)(?=[\d_%.+/~:-]{0,40}[a-z])(?<part>[\w%.+/~:-]{8,200}={0,2})/dgi,
    (value) => isRandomValue(value.replace(/[.:]+$/, '')),
  ),
  // The cookie li_at=AQED…
  byPattern(
    'key',
    /\bcookies? ["'`]?(?<name>[\w.$!:-]{1,80})=["'`]?(?<part>[\w%.+/~:-]{8,}={0,2})/dgi,
    (value, match) => !ATTRIBUTE.test(match.groups?.name ?? '') && isRandomValue(value.replace(/[.:]+$/, '')),
  ),
  findInHeaders,
];

/** Finds all cookie values of a header that are long enough to be a credential. */
function findInHeaders(text: string): Found[] {
  const found: Found[] = [];
  for (const header of text.matchAll(/\b(?:set-)?cookie: ?([^\n]{1,4000})/gi)) {
    const from = header.index + header[0].length - (header[1] ?? '').length;
    for (const pair of (header[1] ?? '').matchAll(/(?<![^\s;])([\w.$!-]{1,80})=([^;\s"]{8,})/g)) {
      const [, name = '', value = ''] = pair;
      if (ATTRIBUTE.test(name) || !/\d/.test(value)) continue;
      const start = from + pair.index + name.length + 1;
      found.push({ kind: 'key', start, end: start + value.length });
    }
  }
  return found;
}

/** Returns true for a machine-generated value, as opposed to a word with a number, date or version. */
function isRandomValue(value: string): boolean {
  if (!/\d/.test(value) || !/[a-z]/i.test(value) || /^\d{4}-?\d\d-?\d\d/.test(value)) return false;
  return looksRandom(value) || /^[0-9a-f]{10,}$/i.test(value);
}

/** Finds secrets that secretlint's recommended rules miss: shorter or newer keys, tokens in headers and URLs, assigned passwords. */
export const SECRET_FINDERS: readonly Finder[] = [
  findPrivateKeys,
  byPattern('key', new RegExp(`(?<![A-Za-z0-9])(?:${KEY_PREFIX})[\\w-]{12,}`, 'g'), isKey),
  // AWS key ids.
  byPattern(
    'key',
    /(?<![A-Za-z0-9])(?:A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
    isKey,
  ),
  // Signed web tokens, then tokens of Google, Telegram bots, Twilio and Mailgun.
  byPattern('key', /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g),
  byPattern('key', /(?<![\w-])ya29\.[\w-]{20,}/g),
  byPattern('key', /(?<![\w-])(?:\d{8,10}:AA[\w-]{30,40}|(?:SK|AC)[0-9a-f]{32}|key-[0-9a-f]{32})(?![\w-])/g),
  byPattern('key', /\b(?<scheme>bearer|token|basic)\s{1,3}(?<part>[\w.~+/-]{8,}={0,2})/dgi, isToken),
  ...SESSION_COOKIE_FINDERS,
  byPattern('password', /\b[a-z][a-z0-9+.-]{1,20}:\/\/(?<part>[^\s/:@"'<>]{0,100}:[^\s/@"'<>]{1,200})(?=@)/dgi),
  byPattern(
    'key',
    /[?&](?:key|api_?key|(?:access_?)?token|sig|signature|secret|auth|code|pass|passwd|password|pwd|pw)=(?<part>[\w.~%+/-]{8,}={0,2})/dgi,
    (value) => /\d/.test(value),
  ),
  ...ASSIGNED_FINDERS,
  ...PROSE_SECRET_FINDERS,
  findNearPasswords,
  findNearKeys,
  ...DISGUISED_FINDERS,
];

function isKey(key: string): boolean {
  return looksRandom(key) || /\d{8,}/.test(key);
}

function isToken(value: string, match: RegExpExecArray): boolean {
  if (match.groups?.scheme?.toLowerCase() === 'basic') return hasCredentials(value);
  return value.length >= 12 && looksRandom(value);
}

function hasCredentials(base64: string): boolean {
  return /^[\x20-\x7e]+:[\x20-\x7e]*$/.test(Buffer.from(base64, 'base64').toString('latin1'));
}

/**
 * Finds secrets by secretlint's recommended rules. The rules run without secretlint's core because its profiler keeps a record of every
 * text for the lifetime of the process. They also run without its filter because a comment in the text could disable them.
 */
export async function findListedSecrets(text: string): Promise<Found[]> {
  const found: Found[] = [];
  const source = sourceOf(text);
  for (const { meta, create } of rules) {
    if (meta.id === FILTER) continue;
    const kind = KINDS.get(meta.id) ?? 'key';
    const context: SecretLintRuleContext = {
      sharedOptions: {},
      createTranslator: () => (messageId) => ({ message: String(messageId), messageId: String(messageId), data: {} }),
      report: ({ range: [start, end] }) =>
        void found.push({ kind, start, end: MISCOUNTED.has(meta.id) ? endOfWord(text, end) : end }),
      ignore: () => undefined,
    };
    await create(context, {}).file?.(source);
  }
  return found;
}

const FILTER = '@secretlint/secretlint-rule-filter-comments';

/** These rules compute the end of a secret from the start of its name, so the end of the word is used instead. */
const MISCOUNTED = new Set(['@secretlint/secretlint-rule-aws', '@secretlint/secretlint-rule-npm']);

function endOfWord(text: string, end: number): number {
  return end + (/^[\w/+=:@-]{0,300}/.exec(text.slice(end, end + 300))?.[0].length ?? 0);
}

/** Kinds of findings that are not keys, by rule. */
const KINDS = new Map<string, RedactedKind>([
  ['@secretlint/secretlint-rule-privatekey', 'private key'],
  ['@secretlint/secretlint-rule-basicauth', 'password'],
  ['@secretlint/secretlint-rule-database-connection-string', 'password'],
]);

function sourceOf(content: string): SecretLintSourceCode {
  return {
    content,
    hasBOM: false,
    contentType: 'text',
    ext: '',
    filePath: undefined,
    physicalFilePath: undefined,
    getFilePath: () => undefined,
    getPhysicalFilePath: () => undefined,
    locationToRange: unused,
    rangeToLocation: unused,
    positionToIndex: unused,
    indexToPosition: unused,
  };
}

function unused(): never {
  throw new Error('a rule of secretlint requested lines and columns, which are not available');
}

/** Words that make a password-like value in the same sentence likely to be a password. */
const PASSWORDS =
  /\b(?:pass ?(?:words?|phrases?|codes?)|passwd|pwd|pw|\w{0,20}passwort|\w{0,20}kennwort|geheimwort|mots? de passe|mdp|contrasenas?|clave|senha|parola|wachtwoord|haslo)\b/i;
/** Weaker indicators: next to these words, only a value with symbols inside it is treated as a password. */
const LOGINS =
  /\b(?:credentials?|log(?:ged|ging)? ?(?:in|on)|login|sign(?:ed|ing)? in|authenticat\w{1,5}|unlock(?:s|ed|ing)?|anmeld\w{0,5}|eingeloggt|zugangsdaten|identifiants)\b/i;

/** Examples of password formats are not passwords. */
const EXAMPLE =
  /(?:\b(?:such as|like|e\.g\.|for example|for instance|example|examples|format|pattern|common|weak)[,:]? ["'`]?)$/i;

/** Names of standards, algorithms, libraries and types, anywhere in a word. */
const TECHNICAL_PART =
  /sha-?\d|md[45]|utf-?\d|base-?(?:16|32|58|62|64|85)|oauth|auth0|argon2|bcrypt|scrypt|pbkdf|aes-?\d|rsa-?\d|ed25519|curve25519|secp\d|x509|x86|u?int\d|float\d|i18n|l10n|a11y|http|sqlite3|psycopg|boto3|urllib|neo4j|k8s|web3|log4j|mp[34]|ipv[46]|wpa\d|nfc|type\d/i;
const COUNTED =
  /^(?:user|test|admin|guest|demo|client|account|name|field|page|line|port|step|case|section|chapter|version|level|part|item|row|column|table|figure|example|rule|question|attempt|trial|node|form|input|option|server|host|api|app|task|lesson|error|code|group|team|file|phase|stage|round|day|week|window|tab|screen|slide|level|key|token|hash|salt|secret|string|value|var|arg|param|session|cookie|bug|issue|ticket|python|java|node|react|vue|angular|next|rails|php)s?(?:[_-]?[a-z]{1,10}){0,2}?[_-]?\d{1,5}$/i;

/** Words that make an adjacent machine-generated value likely to be a credential. */
const KEYS =
  /\b(?:(?:api|access|license|secret|private|encryption|signing|auth) keys?|tokens?|secrets?|bearer|cookies?|session|credentials?)\b/i;
/** Checksums and hashes look the same but grant no access. */
const SUMS = /\b(?:commits?|sha-?\d*|hash\w*|checksums?|digests?|md5|etag|uuid|revision|trace|span|fingerprint)\b/i;

/** Request and record ids also look the same but are needed for support. */
const ID = /^(?:req|run|msg|evt|trace|span|chatcmpl|resp)[_-]|^[0-9a-f]{8}-[0-9a-f]{4}-/i;
const ID_BEFORE = /\b(?:request|trace|correlation|run|case|message|order|user|event|record)[-_ ]?id["':= ]{0,4}$/i;

/** Number of characters before and after a value that are read as its sentence. */
const REACH = 80;

/**
 * Finds passwords by their form, independent of the phrasing. Matches letters mixed with digits or symbols in a sentence about a password
 * (`my guess, mango-Tango9, was the password`).
 */
function findNearPasswords(text: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(
    /(?<![^\s"'`(])(?=[^\s\d]{0,64}\d|[^\s!#$%^&*]{1,64}[!#$%^&*])[A-Za-z0-9][^\s"'`,;()<>[\]{}=/\\]{4,64}(?![^\s"'`,;).])/g,
  )) {
    const word = match[0].replace(/[.?:]+$|!+$/, '');
    if (!looksLikePassword(word)) continue;
    const { before, after } = sentenceAround(text, match.index, match.index + match[0].length);
    if (EXAMPLE.test(before)) continue;
    const sentence = `${before} ${after}`;
    if (!PASSWORDS.test(sentence) && !(isSigned(word) && LOGINS.test(sentence))) continue;
    found.push({ kind: 'password', start: match.index, end: match.index + match[0].length - trailing(match[0]) });
  }
  return found;
}

function findNearKeys(text: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(/(?<![\w./@+-])(?=[\w+-]{0,64}\d)[A-Za-z0-9][\w+-]{11,127}(?![\w/@+-]|\.\w)/g)) {
    const word = match[0];
    const isHex = /^(?=.*[a-f])[0-9a-f]{16,}$/.test(word);
    if (ID.test(word)) continue;
    if (!isHex && (!looksRandom(word) || /[a-z]{5}|^\d/i.test(word))) continue;
    const { before, after } = sentenceAround(text, match.index, match.index + word.length);
    const near = `${before.slice(-50)} ${after.slice(0, 30)}`;
    if (
      !KEYS.test(near) ||
      ID_BEFORE.test(before) ||
      (isHex && SUMS.test(`${before} ${after}`)) ||
      EXAMPLE.test(before)
    )
      continue;
    found.push({ kind: 'key', start: match.index, end: match.index + word.length });
  }
  return found;
}

/** Returns the length of the trailing punctuation. A `!` inside a sentence belongs to the value. */
function trailing(value: string): number {
  return value.length - withoutTrailing(value, /[.?:]/).length;
}

function sentenceAround(text: string, start: number, end: number): { before: string; after: string } {
  const before = text.slice(Math.max(0, start - REACH), start);
  const after = text.slice(end, end + REACH);
  return {
    before: before.slice(before.search(/(?:[^.!?\n]|[.!?](?!\s))*$/)),
    after: /^(?:[^.!?\n]|[.!?](?!\s|$))*/.exec(after)?.[0] ?? '',
  };
}

function looksLikePassword(word: string): boolean {
  if (word.length < 5 || !hasMixedCharacters(word) || TECHNICAL_PART.test(word) || COUNTED.test(word)) return false;
  const signed = /[!#$%^&*]/.test(word);
  if (/^\d/.test(word) && !signed) return false;
  // Capitals with digits are codes, standards and constants. Lowercase words with one digit and camel case words are names.
  if (!/[a-z]/.test(word) && !signed) return false;
  if (/^[a-z]+(?:[_-][a-z]+)*[_-]?\d?$/.test(word) || /^[a-z]+(?:[A-Z][a-z]+)+\d?$/.test(word)) return false;
  // Names with a year, hex, addresses, dotted names, versions.
  if (/^\p{L}+-(?:19|20)\d\d$/u.test(word) || /^[0-9a-f]{7,}(?:-|$)/.test(word)) return false;
  if (/\p{L}\.\p{L}|\d\.\d|:|\.\.|^(?:root|admin|deploy|git|user|ubuntu|ec2-user)@/u.test(word)) return false;
  return /\d/.test(word) || /[A-Za-z0-9][!#$%^&*][A-Za-z0-9]/.test(word);
}

function isSigned(word: string): boolean {
  return (
    word.length >= 8 &&
    /[A-Za-z0-9][!#$%^*][A-Za-z0-9]/.test(word) &&
    (/\d/.test(word) || /[a-z].*[A-Z]|[A-Z].*[a-z]/.test(word))
  );
}
