import { byPattern, type Finder } from './finder.ts';

const PORT = '(?::\\d{1,5})?';
/** Schemes whose host is a machine; what stands behind others (`file:`, `s3:`, `data:`) is none. */
const SCHEMES =
  'https?|wss?|s?ftp|ssh|git|ldaps?|smb|nfs|postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|kafka|nats|tcp|udp|grpcs?|rtsp|vnc|rdp|telnet';

/**
 * Names of machines inside a network: under a name kept for that use (`.internal`, `.local`, `.corp`, `.lan`, `.intranet`,
 * `.localdomain`, `.home.arpa`), a single word as the host of an address, `localhost` with a port, shares (`\\server\share`).
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
