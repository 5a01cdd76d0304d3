import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretLintRuleContext, SecretLintSourceCode } from '@secretlint/types';
import { KEY_PREFIX } from '#lib/providers/call/redact-secrets.ts';
import { ASSIGNED_FINDERS } from './assigned-secrets.ts';
import { DISGUISED_FINDERS } from './disguised-secrets.ts';
import { byPattern, type Finder, type Found, looksRandom, type RedactedKind } from './finder.ts';
import { NEAR_SECRET_FINDERS } from './near-secrets.ts';
import { PROSE_SECRET_FINDERS } from './prose-secrets.ts';

/** Characters between the first and last line of a key; one of 16,384 bits has 12,600. */
const LONGEST_PRIVATE_KEY = 20_000;

/** Finds private keys in PEM form as whole blocks, and as far as they go where their last line is missing. */
function findPrivateKeys(text: string): Found[] {
  const found: Found[] = [];
  for (const begin of text.matchAll(/-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g)) {
    const after = begin.index + begin[0].length;
    const next = text.indexOf('-----BEGIN', after);
    const rest = text.slice(after, Math.min(after + LONGEST_PRIVATE_KEY, next === -1 ? text.length : next));
    const last = /-----END [A-Z0-9 ]{1,60}-----/.exec(rest);
    const body = last === null ? (UNENDED.exec(rest)?.[0] ?? '') : rest.slice(0, last.index);
    // Words about such blocks are none.
    if (!/[A-Za-z0-9+/=]{24,}/.test(body)) continue;
    found.push({ kind: 'private key', start: begin.index, end: after + body.length + (last?.[0].length ?? 0) });
  }
  return found;
}

const UNENDED = /^(?:(?:\s|\\n){0,4}[A-Za-z0-9+/=]{16,})+(?:\s[A-Za-z0-9+/=]{1,15}(?=\s|$))?/;

/** Names that web frameworks give to the cookie of a session. */
const NAMES =
  '(?:PHPSESSID|JSESSIONID|ASPSESSIONID\\w{0,12}|ASP\\.NET_SessionId|connect\\.sid|(?:__(?:Host|Secure)-)?[\\w-]{0,30}sess(?:ion)?(?:[_-]?(?:id|token|key))?|(?:[\\w-]{1,20}\\.)?sid|csrf_?token|xsrf-token|remember[_-]\\w{0,40}|wordpress_logged_in\\w{0,40}|(?:[\\w-]{1,20}[._-])?(?:auth|access|login|sso|session|refresh)[_-]?(?:token|cookie|ticket)|\\.?AspNet(?:Core)?\\.[\\w.]{1,40}|\\.ASPXAUTH|jwt|SSESS\\w{0,40})';

const ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|secure|httponly|priority|partitioned)$/i;

/** Cookies that stand for somebody signed in: by the name of the cookie, in a header, or announced in a sentence. */
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

/** The values of all cookies of a header that are long enough to stand for something. */
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

/** A value that a machine made: no word with a number, date or version. */
function isRandomValue(value: string): boolean {
  if (!/\d/.test(value) || !/[a-z]/i.test(value) || /^\d{4}-?\d\d-?\d\d/.test(value)) return false;
  return looksRandom(value) || /^[0-9a-f]{10,}$/i.test(value);
}

/** Secrets that secretlint's recommended rules let pass: shorter or newer keys, tokens in headers and addresses, assigned passwords. */
export const SECRET_FINDERS: readonly Finder[] = [
  findPrivateKeys,
  byPattern('key', new RegExp(`(?<![A-Za-z0-9])(?:${KEY_PREFIX})[\\w-]{12,}`, 'g'), isKey),
  // Ids of keys of AWS.
  byPattern(
    'key',
    /(?<![A-Za-z0-9])(?:A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
    isKey,
  ),
  // Signed web tokens; then those of Google, of Telegram's bots, of Twilio and of Mailgun.
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
  ...NEAR_SECRET_FINDERS,
  ...DISGUISED_FINDERS,
];

function isKey(key: string): boolean {
  return looksRandom(key) || /\d{8,}/.test(key);
}

function isToken(value: string, match: RegExpExecArray): boolean {
  if (match.groups?.scheme?.toLowerCase() === 'basic') return holdsCredentials(value);
  return value.length >= 12 && looksRandom(value);
}

function holdsCredentials(base64: string): boolean {
  return /^[\x20-\x7e]+:[\x20-\x7e]*$/.test(Buffer.from(base64, 'base64').toString('latin1'));
}

/**
 * Finds secrets by secretlint's recommended rules. They are asked without secretlint's core, whose profiler keeps a record of every
 * text for as long as the process lives; and without its filter, by which a comment in the text could switch them off.
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

/** These give the length of a secret from where its name begins: the secret's end is that of the word. */
const MISCOUNTED = new Set(['@secretlint/secretlint-rule-aws', '@secretlint/secretlint-rule-npm']);

function endOfWord(text: string, end: number): number {
  return end + (/^[\w/+=:@-]{0,300}/.exec(text.slice(end, end + 300))?.[0].length ?? 0);
}

/** What the rules find that is no key. */
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
  throw new Error('a rule of secretlint asks for lines and columns, which nothing here counts');
}
