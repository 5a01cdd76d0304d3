import { type Finder, type Found, looksRandom } from './finder.ts';
import { isMixed } from './prose-secrets.ts';

/** Words that make it likely that what looks like a password in the same sentence is one. */
const PASSWORDS =
  /\b(?:pass ?(?:words?|phrases?|codes?)|passwd|pwd|pw|\w{0,20}passwort|\w{0,20}kennwort|geheimwort|mots? de passe|mdp|contrasenas?|clave|senha|parola|wachtwoord|haslo)\b/i;
/** Weaker words: beside them only signs inside of a value tell it from a name. */
const LOGINS =
  /\b(?:credentials?|log(?:ged|ging)? ?(?:in|on)|login|sign(?:ed|ing)? in|authenticat\w{1,5}|unlock(?:s|ed|ing)?|anmeld\w{0,5}|eingeloggt|zugangsdaten|identifiants)\b/i;

/** Examples of what a password can look like are none. */
const EXAMPLE =
  /(?:\b(?:such as|like|e\.g\.|for example|for instance|example|examples|format|pattern|common|weak)[,:]? ["'`]?)$/i;

/** Names of standards, algorithms, libraries and types, wherever in a word they stand. */
const TECHNICAL_PART =
  /sha-?\d|md[45]|utf-?\d|base-?(?:16|32|58|62|64|85)|oauth|auth0|argon2|bcrypt|scrypt|pbkdf|aes-?\d|rsa-?\d|ed25519|curve25519|secp\d|x509|x86|u?int\d|float\d|i18n|l10n|a11y|http|sqlite3|psycopg|boto3|urllib|neo4j|k8s|web3|log4j|mp[34]|ipv[46]|wpa\d|nfc|type\d/i;
const COUNTED =
  /^(?:user|test|admin|guest|demo|client|account|name|field|page|line|port|step|case|section|chapter|version|level|part|item|row|column|table|figure|example|rule|question|attempt|trial|node|form|input|option|server|host|api|app|task|lesson|error|code|group|team|file|phase|stage|round|day|week|window|tab|screen|slide|level|key|token|hash|salt|secret|string|value|var|arg|param|session|cookie|bug|issue|ticket|python|java|node|react|vue|angular|next|rails|php)s?(?:[_-]?[a-z]{1,10}){0,2}?[_-]?\d{1,5}$/i;

/** Words that make it likely that what a machine made beside them gives access. */
const KEYS =
  /\b(?:(?:api|access|license|secret|private|encryption|signing|auth) keys?|tokens?|secrets?|bearer|cookies?|session|credentials?)\b/i;
/** Sums of contents look the same and give nothing away. */
const SUMS = /\b(?:commits?|sha-?\d*|hash\w*|checksums?|digests?|md5|etag|uuid|revision|trace|span|fingerprint)\b/i;

/** Ids of requests and records look the same too: support needs them. */
const ID = /^(?:req|run|msg|evt|trace|span|chatcmpl|resp)[_-]|^[0-9a-f]{8}-[0-9a-f]{4}-/i;
const ID_BEFORE = /\b(?:request|trace|correlation|run|case|message|order|user|event|record)[-_ ]?id["':= ]{0,4}$/i;

/** How far before and behind a value its sentence is read. */
const REACH = 80;

/**
 * Passwords by their looks, however the sentence puts them: letters together with digits or signs as people mix them, in a sentence
 * that speaks of a password (`my guess, mango-Tango9, was the password`).
 */
export const NEAR_SECRET_FINDERS: readonly Finder[] = [findNearPasswords, findNearKeys];

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

/** The signs that end a sentence or part of one; a `!` inside of a sentence belongs to the value. */
function trailing(value: string): number {
  return /[.?:]*$/.exec(value)?.[0].length ?? 0;
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
  if (word.length < 5 || !isMixed(word) || TECHNICAL_PART.test(word) || COUNTED.test(word)) return false;
  const signed = /[!#$%^&*]/.test(word);
  if (/^\d/.test(word) && !signed) return false;
  // Capitals with numbers are codes, standards and constants; small letters with one digit, and what changes its case, are names.
  if (!/[a-z]/.test(word) && !signed) return false;
  if (/^[a-z]+(?:[_-][a-z]+)*[_-]?\d?$/.test(word) || /^[a-z]+(?:[A-Z][a-z]+)+\d?$/.test(word)) return false;
  // Names with a year, hex, addresses, names with full stops, versions.
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
