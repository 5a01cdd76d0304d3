import { byPattern, type Finder, type Found } from './finder.ts';
import { looksRandom } from './looks-random.ts';

/** Names that web frameworks give to the cookie of a session. */
const NAMES =
  '(?:PHPSESSID|JSESSIONID|ASPSESSIONID\\w{0,12}|ASP\\.NET_SessionId|connect\\.sid|(?:__(?:Host|Secure)-)?[\\w-]{0,30}sess(?:ion)?(?:[_-]?(?:id|token|key))?|(?:[\\w-]{1,20}\\.)?sid|csrf_?token|xsrf-token|remember[_-]\\w{0,40}|wordpress_logged_in\\w{0,40}|(?:[\\w-]{1,20}[._-])?(?:auth|access|login|sso|session|refresh)[_-]?(?:token|cookie|ticket)|\\.?AspNet(?:Core)?\\.[\\w.]{1,40}|\\.ASPXAUTH|jwt|SSESS\\w{0,40})';

const ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|secure|httponly|priority|partitioned)$/i;

/** Cookies that stand for somebody signed in: by the name of the cookie, in a header, or announced in a sentence. */
export const SESSION_COOKIE_FINDERS: readonly Finder[] = [
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
