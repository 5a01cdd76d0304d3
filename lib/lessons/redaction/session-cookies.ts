import { byPattern, type Finder, type Found } from './finder.ts';

/** Names that web frameworks give to the cookie of a session. */
const NAMES =
  '(?:PHPSESSID|JSESSIONID|ASPSESSIONID\\w{0,12}|ASP\\.NET_SessionId|connect\\.sid|(?:__(?:Host|Secure)-)?[\\w-]{0,30}sess(?:ion)?(?:[_-]?(?:id|token|key))?|sid|csrf_?token|xsrf-token|remember_\\w{0,40}|wordpress_logged_in\\w{0,40}|auth_?token)';

/** Cookies that stand for somebody signed in: by the name of the cookie, in a header, or announced in a sentence. */
export const SESSION_COOKIE_FINDERS: readonly Finder[] = [
  byPattern(
    'key',
    new RegExp(`(?<![\\w-])${NAMES}["'\`]?[=:] {0,2}["'\`]?(?<part>[\\w%.+/=~-]{10,})`, 'dgi'),
    (value) => /\d/.test(value) && !/^\d+$/.test(value),
  ),
  byPattern(
    'key',
    /\bsession[ -]?(?:cookie|id|token|key)(?: (?:is|was|of|value))?[ :="'`]{1,4}(?<part>[\w%.+/=-]{10,})/dgi,
    (value) => /\d/.test(value) && /[a-z]/i.test(value),
  ),
  findInHeaders,
];

const ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|secure|httponly|priority|partitioned)$/i;

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
