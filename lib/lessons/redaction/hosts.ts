import { byPattern, type Finder } from './finder.ts';
import { isTechnical } from './prose-secrets.ts';

const PORT = '(?::\\d{1,5})?';
/** Schemes whose host is a machine; what stands behind others (`file:`, `s3:`, `data:`) is none. */
const SCHEMES =
  'https?|wss?|s?ftp|ssh|git|ldaps?|smb|nfs|postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|kafka|nats|tcp|udp|grpcs?|rtsp|vnc|rdp|telnet';

/** What machines are for, in their names. Those of the second list are also common in names of other things (`test-case-2`). */
const PURPOSE =
  /^(?:srv|server|host|db|sql|vm|prod|prd|stg|dc|ldap|dns|smtp|imap|mx|lb|gw|vpn|fw|nas|bastion|jump|k8s|kube|redis|mongo|postgres|pg|mysql|mariadb|kafka|elastic|rabbitmq|web|www|jenkins|gitlab|nginx|haproxy|vault|consul|nomad|esxi?|hyperv|hv|pve|proxmox|rds|sftp|ftp|syslog|grafana|prometheus|zabbix|nagios|minio|ceph|etcd|solr|exch|ora|rtr|router|firewall|gpu)\d{0,3}$/;
const WEAK_PURPOSE =
  /^(?:app|api|node|dev|test|qa|uat|build|ci|worker|master|replica|primary|cache|proxy|mail|backup|staging|cluster|file|queue|runner|switch|oracle|eu|us|uk|de|fra|ams|lon|nyc)\d{0,3}$/;

/** Words of small letters with hyphens between and a number at the end. */
const NUMBERED = /(?<![\w./@-])[a-z][a-z0-9]{0,20}(?:-[a-z0-9]{1,20}){0,5}(?<=\d)(?![\w-]|\.\w)/g;

/** In capitals, as Windows domains name them: a place, a purpose and a number with a zero before (`FRA1SQL07`, `DC01`, `SRV-DB-02`). */
const CAPITALS =
  /(?<![\w./@-])(?:(?:[A-Z]{2,5}\d{0,2}-?){0,3}(?:SRV|SQL|DB|DC|WEB|APP|VM|ESXI?|FS|MAIL|EXCH|EX|FILE|PRT|PRN|NAS|LNX|HV|PROXY|CTX|RDS|ORA|NODE|HOST|SERVER|GW|FW|DNS|VPN|BKP)-?0\d{1,3}|(?:[A-Z]{2,5}-)?(?:PC|LAP|NB)-?\d{3,5})(?![\w-]|\.\w)/g;

/** Small letters and a number that begins with 0. */
const ZERO_NUMBERED = /(?<![\w./@-])(?<word>[a-z]{2,14}(?:-[a-z0-9]{1,14}){0,3}?)-?0\d{1,2}(?![\w-]|\.\w)/g;
/** What is also numbered so: parts of texts and of experiments, and what is counted. */
const COUNTED =
  /(?:^|-)(?:art(?:icle)?|batch|bug|bus|case|chapter|class|col(?:umn)?|cve|data|day|demo|doc|draft|entry|ep|episode|error|event|exp|experiment|example|ex|exercise|feature|fig|figure|file|fold|foo|form|frame|gate|group|hour|hw|id|image|img|issue|item|lab|layer|lesson|level|line|log|model|module|month|name|note|order|page|paper|part|patch|phase|photo|player|question|record|release|report|room|round|row|run|sample|scene|season|section|seed|set|slide|stage|step|table|task|team|test|ticket|tip|track|train|trial|try|unit|user|utf|var|ver|version|video|view|vol|volume|week|year|zone)$/;
/** Words of a sentence about machines. */
const MACHINES =
  /\b(?:servers?|hosts?|hostname|restart\w*|reboot\w*|ssh|uptime|daemon|service|cluster|virtual machine|vms?|replicas?|failover|backups?|disks?|cpu|memory|ping\w*|deploy\w*|patched|queue|workers?|load balancer|database|instance|machine|port|cron|kernel|outage|offline|unreachable)\b/i;

function isNamedMachine(_name: string, { groups, index, input }: RegExpExecArray): boolean {
  if (COUNTED.test(groups?.word ?? '') || isTechnical(input.slice(index, index + 30).split(/\s/)[0] ?? ''))
    return false;
  return MACHINES.test(input.slice(Math.max(0, index - 60), index + 80));
}

/** A name of letters and a number behind a word for a machine: no version or standard. */
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
 * Names of machines inside a network: under a name kept for that use (`.internal`, `.local`, `.corp`, `.lan`, `.intranet`,
 * `.localdomain`, `.home.arpa`), a single word as the host of an address, `localhost` with a port, shares (`\\server\share`), and
 * names made as operators make them: a purpose with a number (`srv-db-02`, `prod-web-1`, `db01`, `FRA1SQL07`), as clouds, Kubernetes and
 * Windows give them, and names with a number behind a word for a machine (`the host kestrel-vm4`) or in a sentence about machines.
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
  // Names that clouds give, and pods of Kubernetes.
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
  // ssh deploy@falcon, scp report.pdf deploy@falcon:/srv
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

/** Names in code that end alike: what belongs to a thread, a module or an object, or is called. */
function isNoCode(name: string, match: RegExpExecArray): boolean {
  const after = match.input[match.index + match[0].length];
  return (
    after !== '(' && after !== '=' && !/^(?:threading|_?thread|self|this|window|module|vars|scope|std|env)\./.test(name)
  );
}
