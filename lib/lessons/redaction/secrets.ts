import { KEY_PREFIX } from '#lib/providers/call/redact-secrets.ts';
import { ASSIGNED_FINDERS } from './assigned-secrets.ts';
import { DISGUISED_FINDERS } from './disguised-secrets.ts';
import { byPattern, type Finder } from './finder.ts';
import { looksRandom } from './looks-random.ts';
import { NEAR_SECRET_FINDERS } from './near-secrets.ts';
import { findPrivateKeys } from './private-keys.ts';
import { PROSE_SECRET_FINDERS } from './prose-secrets.ts';
import { SESSION_COOKIE_FINDERS } from './session-cookies.ts';

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
