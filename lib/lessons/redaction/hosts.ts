import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { byPattern, type Finder, type Found } from './find-by-pattern.ts';
import { isTechnical } from './prose-secrets.ts';

const PORT = '(?::\\d{1,5})?';
/** URL schemes whose host is a machine. Others (`file:`, `s3:`, `data:`) have none. */
const SCHEMES =
  'https?|wss?|s?ftp|ssh|git|ldaps?|smb|nfs|postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|kafka|nats|tcp|udp|grpcs?|rtsp|vnc|rdp|telnet';

/** Name parts for the purpose of a machine. Those in the second list also occur in other names (`test-case-2`). */
const PURPOSE =
  /^(?:srv|server|host|db|sql|vm|prod|prd|stg|dc|ldap|dns|smtp|imap|mx|lb|gw|vpn|fw|nas|bastion|jump|k8s|kube|redis|mongo|postgres|pg|mysql|mariadb|kafka|elastic|rabbitmq|web|www|jenkins|gitlab|nginx|haproxy|vault|consul|nomad|esxi?|hyperv|hv|pve|proxmox|rds|sftp|ftp|syslog|grafana|prometheus|zabbix|nagios|minio|ceph|etcd|solr|exch|ora|rtr|router|firewall|gpu)\d{0,3}$/;
const WEAK_PURPOSE =
  /^(?:app|api|node|dev|test|qa|uat|build|ci|worker|master|replica|primary|cache|proxy|mail|backup|staging|cluster|file|queue|runner|switch|oracle|eu|us|uk|de|fra|ams|lon|nyc)\d{0,3}$/;

/** Lower-case words joined by hyphens, ending in a number. */
const NUMBERED = /(?<![\w./@-])[a-z][a-z0-9]{0,20}(?:-[a-z0-9]{1,20}){0,5}(?<=\d)(?![\w-]|\.\w)/g;

/** Upper-case names, as in Windows domains: a location, a purpose and a zero-padded number (`FRA1SQL07`, `DC01`, `SRV-DB-02`). */
const CAPITALS =
  /(?<![\w./@-])(?:(?:[A-Z]{2,5}\d{0,2}-?){0,3}(?:SRV|SQL|DB|DC|WEB|APP|VM|ESXI?|FS|MAIL|EXCH|EX|FILE|PRT|PRN|NAS|LNX|HV|PROXY|CTX|RDS|ORA|NODE|HOST|SERVER|GW|FW|DNS|VPN|BKP)-?0\d{1,3}|(?:[A-Z]{2,5}-)?(?:PC|LAP|NB)-?\d{3,5})(?![\w-]|\.\w)/g;

/** Lower-case letters and a number that begins with 0. */
const ZERO_NUMBERED = /(?<![\w./@-])(?<word>[a-z]{2,14}(?:-[a-z0-9]{1,14}){0,3}?)-?0\d{1,2}(?![\w-]|\.\w)/g;
/** Words that are numbered but are not machines: parts of texts and experiments, and counted things. */
const COUNTED =
  /(?:^|-)(?:art(?:icle)?|batch|bug|bus|case|chapter|class|col(?:umn)?|cve|data|day|demo|doc|draft|entry|ep|episode|error|event|exp|experiment|example|ex|exercise|feature|fig|figure|file|fold|foo|form|frame|gate|group|hour|hw|id|image|img|issue|item|lab|layer|lesson|level|line|log|model|module|month|name|note|order|page|paper|part|patch|phase|photo|player|question|record|release|report|room|round|row|run|sample|scene|season|section|seed|set|slide|stage|step|table|task|team|test|ticket|tip|track|train|trial|try|unit|user|utf|var|ver|version|video|view|vol|volume|week|year|zone)$/;
/** Words that occur in sentences about machines. */
const MACHINES =
  /\b(?:servers?|hosts?|hostname|restart\w*|reboot\w*|ssh|uptime|daemon|service|cluster|virtual machine|vms?|replicas?|failover|backups?|disks?|cpu|memory|ping\w*|deploy\w*|patched|queue|workers?|load balancer|database|instance|machine|port|cron|kernel|outage|offline|unreachable)\b/i;

function isNamedMachine(_name: string, { groups, index, input }: RegExpExecArray): boolean {
  if (COUNTED.test(groups?.word ?? '') || isTechnical(input.slice(index, index + 30).split(/\s/)[0] ?? ''))
    return false;
  return MACHINES.test(input.slice(Math.max(0, index - 60), index + 80));
}

/** Returns true for a name with letters and a number after a word for a machine, unless it is a version or standard. */
function isAnnounced(name: string): boolean {
  return (
    !isTechnical(name) &&
    !/^(?:port|version|number|step|line|phase|test|error|code|http|type|rule|issue|v)-?\d/i.test(name)
  );
}

function isMachineName(name: string): boolean {
  if (/\d{4}-\d\d-\d\d$/.test(name)) return false;
  const words = name.split('-');
  const number = /\d+$/.exec(name)?.[0] ?? '';
  if (words.length === 1)
    return number.length >= 2 && number.startsWith('0') && hasPurpose(name.slice(0, -number.length));
  const purposes = words.filter((word) => PURPOSE.test(word)).length;
  const weak = words.filter((word) => WEAK_PURPOSE.test(word)).length;
  const last = words.at(-1) ?? '';
  if (/^[a-z]+\d{1,3}$/.test(last)) return hasPurpose(last) && purposes > 0 && purposes + weak > 1;
  if (!/^\d{1,4}$/.test(last)) return false;
  if (words.length === 2) return purposes + weak > 0 && number.startsWith('0') && number.length >= 2;
  return purposes > 0 || weak > 1;
}

function hasPurpose(word: string): boolean {
  return PURPOSE.test(word) || WEAK_PURPOSE.test(word);
}

/**
 * Finders for names of internal machines:
 * - names in internal domains (`.internal`, `.local`, `.corp`, `.lan`, `.intranet`, `.localdomain`, `.home.arpa`)
 * - a single word as the host of a URL, `localhost` with a port, and shares (`\\server\share`)
 * - names in the style of operators: a purpose with a number (`srv-db-02`, `prod-web-1`, `db01`, `FRA1SQL07`), and generated names of
 *   clouds, Kubernetes and Windows
 * - names with a number after a word for a machine (`the host kestrel-vm4`) or in a sentence about machines
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
  byPattern('host', CAPITALS),
  byPattern('host', ZERO_NUMBERED, isNamedMachine),
  // Generated names of clouds, and of Kubernetes pods.
  byPattern('host', /(?<![\w.-])ec2-\d{1,3}(?:-\d{1,3}){3}[\w.-]{0,60}\.amazonaws\.com(?![\w-])/g),
  byPattern(
    'host',
    /(?<![\w./@-])[a-z][a-z0-9]{0,20}(?:-[a-z0-9]{1,20}){0,4}-(?=[a-f]{0,9}\d)[a-f0-9]{8,10}-(?:[bcdfghjklmnpqrstvwxz2456789]{5}|[a-z0-9]{4})(?![\w-])/g,
    (name) => !/^[0-9a-f]{8}-/.test(name),
  ),
  byPattern(
    'host',
    /\b(?:server|host|hostname|machine|instance|box|workstation|router|printer|ssh(?: to| into)?) (?:named |called )?["'`]?(?:\w{1,32}@)?(?<part>[a-z][a-z0-9]{1,20}(?:-[a-z0-9]{1,20}){0,3}-\d{1,4})(?![\w-]|\.\w)/dg,
    isAnnounced,
  ),
  byPattern(
    'host',
    /\b(?:server|host|hostname|workstation|printer|ssh(?:ed)?(?: to| into)?) (?:named |called )?["'`]?(?:\w{1,32}@)?(?<part>[A-Za-z]{3}[A-Za-z0-9]{0,20}(?:-[A-Za-z0-9]{1,20}){0,4}(?<=\d))(?![\w-]|\.\w)/dg,
    isAnnounced,
  ),
  // For example: ssh deploy@falcon, scp report.pdf deploy@falcon:/srv
  byPattern(
    'host',
    /(?<=\b(?:ssh|sftp|rsync|mosh) (?:-\w{1,3} (?:\S{1,60} )?){0,3}[\w.-]{1,32}@)[a-z][a-z0-9-]{1,62}(?![\w-]|\.\w|@)/g,
  ),
  byPattern('host', /(?<=(?<![\w.@-])[\w-]{1,32}@)[a-z][a-z0-9-]{1,62}(?=:[/~])/g),
  byPattern('host', /(?<![\\\w])\\\\[A-Za-z0-9][\w.-]{1,62}\\[\w$.-]{2,}/g),
];

function inside(names: string): RegExp {
  return new RegExp(`(?<![\\w.@-])(?:[A-Za-z0-9_][\\w-]{0,62}\\.){1,20}(?:${names})${PORT}(?![\\w-]|\\.\\w)`, 'g');
}

/** Returns false for names in code with the same ending: members of a thread, module or object, and function calls. */
function isNoCode(name: string, match: RegExpExecArray): boolean {
  const after = match.input[match.index + match[0].length];
  return (
    after !== '(' && after !== '=' && !/^(?:threading|_?thread|self|this|window|module|vars|scope|std|env)\./.test(name)
  );
}

/**
 * Finders for private, shared, link-local and loopback addresses of IPv4 and IPv6, and public IPv6 addresses, including a port or prefix
 * length.
 * Four numbers outside of the private ranges may be a version (`1.2.3.4`), so they match only after a word for a machine (`the server at
 * 203.0.113.7`). Four numbers in a private range do not match after a word for a version or text location (`v10.0.1.2`, `version 10.0.1.2`,
 * `section 10.1.2.3`).
 */
export const ADDRESS_FINDERS: readonly Finder[] = [findIpv4, findIpv6];

const INSIDE = new BlockList();
for (const [address, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['127.0.0.0', 8],
  ['100.64.0.0', 10],
] as const) {
  INSIDE.addSubnet(address, prefix, 'ipv4');
}
INSIDE.addAddress('::1', 'ipv6');
INSIDE.addSubnet('fc00::', 7, 'ipv6');
INSIDE.addSubnet('fe80::', 10, 'ipv6');
INSIDE.addSubnet('fec0::', 10, 'ipv6');

function findIpv4(text: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(
    /(?<![\w.-])(?<address>\d{1,3}(?:\.\d{1,3}){3})(?:\/\d{1,2}|:\d{1,5})?(?![\w-]|\.\d)/g,
  )) {
    const address = (match.groups?.address ?? '').replace(/(?<=^|\.)0+(?=\d)/g, '');
    if (!isIPv4(address)) continue;
    const before = text.slice(Math.max(0, match.index - 40), match.index);
    if (!INSIDE.check(address, 'ipv4') && !MACHINE_BEFORE.test(before)) continue;
    if (NO_MACHINE.has(match[0])) continue;
    if (VERSION_BEFORE.test(text.slice(Math.max(0, match.index - 20), match.index))) continue;
    found.push({ kind: 'address', start: match.index, end: match.index + match[0].length });
  }
  return found;
}

/** Addresses that are equal on every machine or denote a kind of network. They reveal nothing, like `localhost` without a port. */
const NO_MACHINE = new Set([
  ...'127.0.0.1 127.0.0.0/8 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16 100.64.0.0/10'.split(' '),
  ...'::1 ::1/128 fc00:: fc00::/7 fd00::/8 fe80:: fe80::/10 fe80::/64 2001:db8:: 2001:db8::/32'.split(' '),
]);
/** Shortest forms of addresses reserved for examples. */
const EXAMPLE = /^2001:db8::[0-9a-f]{1,4}$/i;

const VERSION_BEFORE =
  /(?:\bversions?|\bver\.?|\bv\.?|\brelease|\bbuild|\bsection|\bchapter|\bclause|\bfigure|§)\s{0,2}$/i;

const MACHINE_BEFORE =
  /\b(?:servers?|host|machine|box|node|instance|gateway|router|proxy|endpoint|ssh|ping|telnet|rdp|vpn|our ip|ip address|public ip)(?: (?:at|on|is|was|to|with|address|from|into)){0,3}[ :]{1,2}(?:\w{1,32}@)?$/i;

function findIpv6(text: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(
    /(?<![\w:.])[0-9A-Fa-f:][0-9A-Fa-f:.]{1,44}(?:%[\w-]{1,15})?(?:\/\d{1,3})?(?!\w)/g,
  )) {
    const written = match[0].replace(/\/\d+$/, '');
    const address = written.replace(/%.*$/, '').replace(/(?<!:):$|\.+$/, '');
    if (!isIPv6(address) || !isOfMachine(address)) continue;
    const isBare = text[match.index - 1] !== '[';
    if ((isBare && NO_MACHINE.has(match[0].replace(/[.:]$/, '').toLowerCase())) || EXAMPLE.test(address)) continue;
    // Slice of a whole list, in Python.
    if (/[\w)\]]\[$/.test(text.slice(Math.max(0, match.index - 2), match.index))) continue;
    const isWhole =
      written.startsWith(address) && (written.length === address.length || written[address.length] === '%');
    found.push({
      kind: 'address',
      start: match.index,
      end: match.index + (isWhole ? match[0].length : address.length),
    });
  }
  return found;
}

/**
 * Returns true for internal and public (2000::/3) IPv6 addresses, and for internal IPv4 addresses in IPv6 form. Shorter texts of this form
 * are code (`a::b`).
 */
function isOfMachine(address: string): boolean {
  if (/^[23][0-9a-f]{3}:[0-9a-f]{1,4}:/i.test(address)) return true;
  const mapped = /^(?:0{0,4}:){2,5}(?:ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1];
  return mapped === undefined ? INSIDE.check(address, 'ipv6') : isIPv4(mapped) && INSIDE.check(mapped, 'ipv4');
}
