import { byPattern, type Finder } from './finder.ts';

const PORT = '(?::\\d{1,5})?';
/** Schemes whose host is a machine; what stands behind others (`file:`, `s3:`, `data:`) is none. */
const SCHEMES =
  'https?|wss?|s?ftp|ssh|git|ldaps?|smb|nfs|postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|kafka|nats|tcp|udp|grpcs?|rtsp|vnc|rdp|telnet';

/** What machines are for, in their names. Those of the second list are also common in names of other things (`test-case-2`). */
const PURPOSE =
  /^(?:srv|server|host|db|sql|vm|prod|prd|stg|dc|ldap|dns|smtp|imap|mx|lb|gw|vpn|fw|nas|bastion|jump|k8s|kube|redis|mongo|postgres|pg|mysql|mariadb|kafka|elastic|rabbitmq|web|www|jenkins|gitlab|nginx|haproxy|vault|consul|nomad|esx|esxi|hyperv)\d{0,3}$/;
const WEAK_PURPOSE =
  /^(?:app|api|node|dev|test|qa|uat|build|ci|worker|master|replica|primary|cache|proxy|mail|backup|staging|cluster|file|queue|eu|us|uk|de|fra|ams|lon|nyc)\d{0,3}$/;

/** Words of small letters with hyphens between and a number at the end. */
const NUMBERED = /(?<![\w./@-])[a-z][a-z0-9]{0,20}(?:-[a-z0-9]{1,20}){0,5}(?<=\d)(?![\w-]|\.\w)/g;

function isMachineName(name: string): boolean {
  const words = name.split('-');
  const number = /\d+$/.exec(name)?.[0] ?? '';
  if (words.length === 1)
    return number.length >= 2 && number.startsWith('0') && hasPurpose(name.slice(0, -number.length));
  if (!/^\d{1,4}$/.test(words.at(-1) ?? '')) return false;
  const purposes = words.filter((word) => PURPOSE.test(word)).length;
  const weak = words.filter((word) => WEAK_PURPOSE.test(word)).length;
  if (words.length === 2) return purposes + weak > 0 && number.startsWith('0') && number.length >= 2;
  return purposes > 0 || weak > 1;
}

function hasPurpose(word: string): boolean {
  return PURPOSE.test(word) || WEAK_PURPOSE.test(word);
}

/**
 * Names of machines inside a network: under a name kept for that use (`.internal`, `.local`, `.corp`, `.lan`, `.intranet`,
 * `.localdomain`, `.home.arpa`), a single word as the host of an address, `localhost` with a port, shares (`\\server\share`), and
 * names made as operators make them: a purpose with a number (`srv-db-02`, `prod-web-1`, `db01`), or as clouds and Windows give them.
 */
export const HOST_FINDERS: readonly Finder[] = [
  byPattern('host', inside('internal|local|corp|lan|intranet|localdomain|home\\.arpa'), isNoCode),
  byPattern('host', inside('INTERNAL|LOCAL|CORP|LAN|INTRANET|LOCALDOMAIN|HOME\\.ARPA')),
  byPattern('host', /(?<![\w.-])localhost:\d{1,5}(?!\d)/gi),
  byPattern(
    'host',
    new RegExp(
      `(?<![A-Za-z0-9])(?:${SCHEMES})://(?:[^\\s/@]{0,200}@)?(?<part>[\\w-]{1,63}${PORT})(?![\\w-]|\\.\\w|:\\d)`,
      'dgi',
    ),
    (host) => !/^(?:\d{1,3}|host|hostname|example|domain|server|url|site|website|link|www)$/i.test(host),
  ),
  byPattern('host', NUMBERED, isMachineName),
  byPattern('host', /(?<![\w.-])(?:ip-\d{1,3}(?:-\d{1,3}){3}|(?:WIN|DESKTOP|LAPTOP)-[A-Z0-9]{6,12})(?![\w-])/g),
  byPattern(
    'host',
    /\b(?:server|host|hostname|machine|instance|box|ssh(?: to| into)?) (?:named |called )?["'`]?(?:\w{1,32}@)?(?<part>[a-z][a-z0-9]{1,20}(?:-[a-z0-9]{1,20}){0,3}-\d{1,4})(?![\w-])/dg,
  ),
  byPattern('host', /(?<![\\\w])\\\\[A-Za-z0-9][\w.-]{1,62}\\[\w$.-]{2,}/g),
];

function inside(names: string): RegExp {
  return new RegExp(`(?<![\\w.@-])(?:[A-Za-z0-9_][\\w-]{0,62}\\.){1,20}(?:${names})${PORT}(?![\\w-]|\\.\\w)`, 'g');
}

/** Names in code that end alike: what belongs to a thread, a module or an object, or is called. */
function isNoCode(name: string, match: RegExpExecArray): boolean {
  const after = match.input[match.index + match[0].length];
  return (
    after !== '(' && after !== '=' && !/^(?:threading|_?thread|self|this|window|module|vars|scope|std|env)\./.test(name)
  );
}
