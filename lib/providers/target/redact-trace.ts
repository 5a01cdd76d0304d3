import { traceProblem } from '#lib/core/trace.ts';
import { redactSecrets, storableText } from '#lib/providers/call/redact-secrets.ts';

/** Suffixes of field names whose values are secrets, such as headers of a request made by a step. */
const SECRET_NAME = [
  'authorization',
  'cookies?',
  'passwords?',
  'passwd',
  'passcode',
  'passphrase',
  'pwd',
  'secrets?',
  'credentials?',
  '(?:api|private|(?:secret)?[-_]?access|secret|signing|encryption|subscription|account)[-_]?keys?',
  '(?:(?<![a-z])|access|api|auth|bearer|client|csrf|github|gitlab|id|refresh|security|session|xsrf)[-_]?token',
].join('|');
const SECRET_FIELD = new RegExp(`(?:${SECRET_NAME})$`, 'i');

/** Fields that name the adjacent value, as in `{ "name": "x-api-key", "value": "…" }`. */
const NAMING_FIELDS = ['name', 'key', 'header'];
const VALUE_FIELD = /^values?$/i;

/**
 * Matches the same fields in a text that is not complete JSON: truncated, escaped, or written by another language. A value ends with its
 * closing quote or bracket, or with the text.
 */
const SECRET_IN_TEXT = (() => {
  // JSON in JSON in JSON has seven backslashes before a quote.
  const quote = (name: string) => `(?<${name}>\\\\{0,7}["'])`;
  const field = (name: string) => `${quote(name)}[\\w .-]{0,60}?(?:${SECRET_NAME})\\k<${name}>`;
  // Python writes pairs in parentheses, and bytes with a `b` before the quote.
  const inPair = `[\\[(]\\s{0,9}b?${field('pair')}\\s{0,9},`;
  const inField = `${field('field')}\\s{0,9}(?::|=>|,\\s{0,9}\\k<field>values?\\k<field>\\s{0,9}:)`;
  const text = `b?${quote('value')}[^]*?(?:(?<!\\\\)\\k<value>|$)`;
  return new RegExp(
    `(?<before>(?:${inPair}|${inField})\\s{0,9})(?:${text}|\\[[^\\]]*\\]?|\\([^)]*\\)?|\\{[^}]*\\}?|-?\\d[\\w.]*)`,
    'gi',
  );
})();

/**
 * Redacts secrets in a trace and removes characters that cannot be stored. Apps report more in a trace than in an output. Secrets are
 * recognized by their field name, in texts too, and by their format. `trace` is JSON that `traceProblem` accepts.
 */
export function redactTrace(trace: unknown, apiKey: string | null): unknown {
  if (typeof trace === 'string') return redactText(trace, apiKey);
  if (Array.isArray(trace))
    return trace.map((part, at) => (isAfterSecretName(trace, at) ? hidden(part) : redactTrace(part, apiKey)));
  if (typeof trace !== 'object' || trace === null) return trace;
  const fields: [string, unknown][] = Object.entries(trace);
  const namesSecret = fields.some(([name, part]) => NAMING_FIELDS.includes(name.toLowerCase()) && isSecretName(part));
  return Object.fromEntries(
    fields.map(([name, part]) => {
      const isSecret = SECRET_FIELD.test(name) || (namesSecret && VALUE_FIELD.test(name));
      return [storableText(name), isSecret ? hidden(part) : redactTrace(part, apiKey)];
    }),
  );
}

/** Returns true in a pair, or in a list of names and values such as the raw headers of Node.js. */
function isAfterSecretName(list: readonly unknown[], at: number): boolean {
  return list.length % 2 === 0 && at % 2 === 1 && isSecretName(list[at - 1]);
}

function isSecretName(value: unknown): boolean {
  return typeof value === 'string' && value.length < 100 && SECRET_FIELD.test(value);
}

/** Hides the value of a secret field: keeps its structure, but not its texts and numbers. */
function hidden(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number') return '[secret]';
  if (Array.isArray(value)) return value.map(hidden);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [storableText(name), hidden(part)]));
}

function redactText(text: string, apiKey: string | null): string {
  const plain = redactSecrets(storableText(text), apiKey);
  const read = jsonIn(plain);
  if (read === undefined) return plain.replace(SECRET_IN_TEXT, '$<before>"[secret]"');
  const redacted = JSON.stringify(redactTrace(read, apiKey));
  // The original text is kept because serializing would change the app's spaces and numbers.
  return redacted === JSON.stringify(read) ? plain : redacted;
}

/** Parses an object or list from JSON. Returns undefined for anything else, or if it is nested too deeply. */
function jsonIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const read: unknown = JSON.parse(text);
    return traceProblem(read) === null ? read : undefined;
  } catch {
    return undefined;
  }
}
