import { z } from 'zod';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { ENVIRONMENT_KINDS, type EnvironmentKeys, PROVIDER_DEFINITIONS } from '#lib/providers/provider-kinds.ts';

/**
 * Rate limits: requests per person, token or anonymous address; run starts; expensive reads; imports; connection tests; backups; password,
 * link and token attempts; event streams.
 */
export const RATE_NAMES = ['requests', 'start', 'read', 'import', 'test', 'backup', 'password', 'streams'] as const;
export type RateName = (typeof RATE_NAMES)[number];

/** The validated environment variables of a Hone process, with defaults filled in. */
export type Environment = z.output<typeof environmentSchema> & { environmentKeys: EnvironmentKeys };

/** Validates all variables. Reports every invalid one with its value (never a secret), the allowed values and a remedy. */
export function parseEnvironment(env: Record<string, string | undefined>): Result<Environment> {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const parsed = environmentSchema.safeParse(given);
  if (parsed.success) return succeed({ ...parsed.data, environmentKeys: environmentKeysIn(given) });
  const names = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))];
  return fail(
    'invalid',
    names.map((name) => formatVariableError(name, given[name] ?? '')).join('\n'),
    names[0] ?? null,
  );
}

function environmentKeysIn(given: Record<string, string | undefined>): EnvironmentKeys {
  const keys = ENVIRONMENT_KINDS.map((kind) => [kind, given[PROVIDER_DEFINITIONS[kind].keyVariable ?? '']?.trim()]);
  return Object.fromEntries(keys.filter(([, key]) => key !== undefined));
}

/** All variables, each with its purpose and default (for the documentation) and the parts of its error message. */
export const ENVIRONMENT_VARIABLES: Record<
  string,
  { summary: string; initially: string; allowed: string; remedy: string }
> = {
  PORT: {
    summary: 'Port of the web server.',
    initially: '3000',
    allowed: 'a whole number from 1 to 65535 that browsers open (not 5060, 6000 or the like)',
    remedy: 'Unset it for 3000, or choose a free port, for example PORT=3100.',
  },
  HONE_HOST: {
    summary: 'Address to listen on.',
    initially: '127.0.0.1',
    allowed:
      'a loopback address (127.0.0.1, ::1 or localhost) in local mode, which has no sign-in. Team mode allows any address or host name',
    remedy:
      'Unset it for 127.0.0.1. To reach Hone from another machine, use an SSH tunnel or team mode (HONE_MODE=team).',
  },
  HONE_DATA_DIR: {
    summary: 'Data directory: database, key file, backups and lock.',
    initially: './data',
    allowed: 'a path of 1 to 4096 characters',
    remedy: 'Unset it for ./data.',
  },
  DATABASE_URL: {
    summary: 'A PostgreSQL 15 or newer to use instead of the built-in one.',
    initially: 'none',
    allowed: 'an address that begins with postgresql:// or postgres://',
    remedy:
      "Unset it for Hone's own PostgreSQL, or write postgresql://user:password@host:5432/database. In the user and the password, write / as %2F, @ as %40, : as %3A, # as %23, ? as %3F and % as %25.",
  },
  HONE_MODE: {
    summary: '`local` for one person without sign-in, `team` for members who sign in.',
    initially: 'local',
    allowed: '"local" or "team"',
    remedy: 'Unset it for local.',
  },
  HONE_SECRET: {
    summary:
      'Encrypts provider keys and signs sessions. All processes on one database need the same. Required in team mode.',
    initially: 'a key file in the data directory',
    allowed: 'at least 16 characters long. In team mode it is required and must be at least 32 characters long',
    remedy:
      'In local mode, unset it to use the key file in the data directory. In team mode, set it to random characters, for example from `openssl rand -hex 32`, and keep them. All processes need the same value.',
  },
  APP_URL: {
    summary: 'The address where people reach Hone. Required in team mode.',
    initially: 'http://HONE_HOST:PORT',
    allowed: 'an http:// or https:// address without a path. In team mode it is required',
    remedy:
      'In local mode, unset it. In team mode, set it to the address that people open, for example https://hone.example.com.',
  },
  HONE_SESSION_DAYS: {
    summary: 'Team mode: days after which a session ends.',
    initially: '30',
    allowed: 'a whole number from 1 to 365',
    remedy: 'Unset it for 30.',
  },
  HONE_START_TOKEN: {
    summary: 'Local mode: `1` lets in only browsers that opened the link printed at the start.',
    initially: '0',
    allowed: '"1" or "0". In team mode, where people sign in, it must be "0"',
    remedy: 'Unset it. In local mode, set it to 1 if other people have accounts on this machine.',
  },
  HONE_WORKER_SLOTS: {
    summary: 'Runs that this process performs at the same time. `0` leaves them to other processes.',
    initially: '4',
    allowed: 'a whole number from 0 to 64 (0: other processes perform the runs)',
    remedy: 'Unset it for 4.',
  },
  HONE_DRAIN_SECONDS: {
    summary: 'Seconds that calls in flight have to finish during a shutdown.',
    initially: '20',
    allowed: 'a whole number from 0 to 3600',
    remedy: 'Unset it for 20.',
  },
  HONE_SHUTDOWN_DELAY_SECONDS: {
    summary: 'Seconds between SIGTERM and the drain, while `/ready` answers 503 and requests are still served.',
    initially: '5 with DATABASE_URL, otherwise 0',
    allowed: 'a whole number from 0 to 300',
    remedy: 'Unset it for 5 with DATABASE_URL and 0 without.',
  },
  HONE_LOG: {
    summary: 'Format of the log.',
    initially: 'plain in local mode, json in team mode',
    allowed: '"plain" or "json"',
    remedy: 'Unset it for plain in local mode and json in team mode.',
  },
  HONE_ALLOWED_PRIVATE_HOSTS: {
    summary: 'Private hosts that providers, webhooks and tools may use.',
    initially: 'none',
    allowed: 'comma-separated host names or addresses, each with an optional port from 1 to 65535',
    remedy: 'Unset it, or write for example gpu-box:8000,192.168.1.20.',
  },
  HONE_TRUSTED_PROXIES: {
    summary:
      'Proxies whose `X-Forwarded-For` is trusted: addresses, networks, or the number of proxies in front of Hone.',
    initially: 'loopback',
    allowed:
      '"none", a number of proxies from 1 to 10, or a comma-separated list of addresses, networks, "loopback" and "private"',
    remedy: 'Unset it for loopback, or write for example 10.0.0.7,192.168.1.0/24.',
  },
  HONE_RATE_LIMITS: {
    summary: 'Rate limits per minute, see below.',
    initially: 'see below',
    allowed: `"off", or comma-separated limits such as requests=600, each from 0 (off) to 999999. The names are ${RATE_NAMES.join(', ')}`,
    remedy: 'Unset it, or write for example requests=10000,start=0.',
  },
  HONE_MCP_COMMANDS: {
    summary: 'Programs that may be started as MCP servers.',
    initially: 'none',
    allowed:
      'a JSON object that maps names (lowercase letters, digits and dashes) to a list of a program and its arguments',
    remedy:
      'Unset it, or write for example {"files": ["npx", "-y", "@modelcontextprotocol/server-filesystem", "/srv"]}.',
  },
};

function formatVariableError(name: string, value: string): string {
  const { allowed, remedy } = ENVIRONMENT_VARIABLES[name] ?? { allowed: 'something else', remedy: 'Unset it.' };
  const shown =
    value === ''
      ? 'not set'
      : NEVER_SHOWN.has(name) || value.includes('@')
        ? `${value.length} characters long`
        : JSON.stringify(value);
  return `${name} is ${shown}, but must be ${allowed}. What to do: ${remedy}`;
}

/** Variables that are or may contain secrets. The position of the password in a malformed URL is unknown. */
const NEVER_SHOWN = new Set(['HONE_SECRET', 'HONE_MCP_COMMANDS', 'DATABASE_URL']);

const wholeNumber = (lowest: number, highest: number) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .pipe(z.int().min(lowest).max(highest));

/** Ports that browsers block because other protocols use them. Source: WHATWG Fetch, port blocking. */
const BLOCKED_PORTS = new Set([
  ...[
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  ],
  ...[
    111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  ],
  ...[540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061],
  ...[6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080],
]);

const LOOPBACK = /^(127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}|::1|localhost)$/;
const HOST = /^([a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?|\[?[0-9a-f:.]*:[0-9a-f:.]*\]?)$/;
const TEAM_SECRET_LENGTH = 32;
const HOST_WITH_PORT = /^([a-z0-9.-]+|\[[0-9a-f:]+\])(?::(\d{1,5}))?$/;

const hostList = z
  .string()
  .transform(itemsOf)
  .pipe(z.array(z.string().refine(isHostWithPort)));

function itemsOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== '');
}

function isHostWithPort(host: string): boolean {
  const [whole, , port] = HOST_WITH_PORT.exec(host) ?? [];
  return whole !== undefined && (port === undefined || (Number(port) >= 1 && Number(port) <= 65_535));
}

const NETS: Record<string, string[]> = {
  none: [],
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'],
};

const proxyList = z.union([
  wholeNumber(1, 10),
  z
    .string()
    .transform((text) => itemsOf(text).flatMap((name) => NETS[name] ?? (name.includes('/') ? name : withBits(name))))
    .pipe(z.array(z.union([z.cidrv4(), z.cidrv6()]))),
]);

function withBits(address: string): string {
  return `${address}/${address.includes(':') ? 128 : 32}`;
}

/** Rate limits per minute in team mode. Far above normal use by a person or script, low enough to protect others. */
export const TEAM_RATES: Record<RateName, number> = {
  ...{ requests: 3_000, start: 600, read: 600, import: 600 },
  ...{ test: 60, backup: 60, password: 120, streams: 200 },
};
/** Local mode has a single user, who shares capacity with no one. */
const LOCAL_FACTOR = 10;

const rateList = z.string().transform((text, context): Partial<Record<RateName, number>> => {
  if (text.trim().toLowerCase() === 'off') return Object.fromEntries(RATE_NAMES.map((name) => [name, 0]));
  const pairs = itemsOf(text).map((item) => item.split('=', 2).map((part) => part.trim()));
  for (const [name, limit = ''] of pairs)
    if (!RATE_NAMES.some((known) => known === name) || !/^\d{1,6}$/.test(limit)) {
      context.addIssue({ code: 'custom', message: 'is no list of limits' });
      return z.NEVER;
    }
  return Object.fromEntries(pairs.map(([name, limit]) => [name, Number(limit)]));
});

function defaultRates(mode: 'local' | 'team'): Record<RateName, number> {
  const of = (name: RateName) => TEAM_RATES[name] * (mode === 'local' ? LOCAL_FACTOR : 1);
  return {
    ...{ requests: of('requests'), start: of('start'), read: of('read'), import: of('import') },
    ...{ test: of('test'), backup: of('backup'), password: of('password'), streams: of('streams') },
  };
}

const commandList = z
  .string()
  .max(50_000)
  .transform((text, context) => {
    try {
      const read: unknown = JSON.parse(text);
      return read;
    } catch {
      context.addIssue({ code: 'custom', message: 'is no JSON' });
      return z.NEVER;
    }
  })
  .pipe(
    z.record(
      z.string().regex(/^[a-z][a-z0-9-]{0,29}$/),
      z
        .array(z.string().max(4096))
        .min(1)
        .max(100)
        .refine(([program]) => program?.trim() !== ''),
    ),
  );

const webAddress = z
  .url({ protocol: /^https?$/ })
  .refine((address) => {
    const { pathname, search, hash, username, password } = new URL(address);
    return pathname === '/' && `${search}${hash}${username}${password}` === '';
  })
  .transform((address) => new URL(address).origin);

const databaseAddress = z
  .string()
  .trim()
  .regex(/^postgres(ql)?:\/\/./)
  .refine((address) => URL.canParse(address));

const environmentSchema = z
  .object({
    PORT: wholeNumber(1, 65_535)
      .refine((port) => !BLOCKED_PORTS.has(port))
      .default(3000),
    HONE_HOST: z
      .string()
      .trim()
      .toLowerCase()
      .regex(HOST)
      .transform((host) => host.replace(/^\[|\]$/g, ''))
      .default('127.0.0.1'),
    HONE_DATA_DIR: z.string().max(4096).default('./data'),
    DATABASE_URL: databaseAddress.nullable().default(null),
    HONE_MODE: z.enum(['local', 'team']).default('local'),
    HONE_SECRET: z.string().min(16).nullable().default(null),
    APP_URL: webAddress.nullable().default(null),
    HONE_SESSION_DAYS: wholeNumber(1, 365).default(30),
    HONE_START_TOKEN: z.enum(['0', '1']).default('0'),
    HONE_WORKER_SLOTS: wholeNumber(0, 64).default(4),
    HONE_DRAIN_SECONDS: wholeNumber(0, 3600).default(20),
    HONE_SHUTDOWN_DELAY_SECONDS: wholeNumber(0, 300).optional(),
    HONE_LOG: z.enum(['plain', 'json']).optional(),
    HONE_ALLOWED_PRIVATE_HOSTS: hostList.default([]),
    HONE_MCP_COMMANDS: commandList.default({}),
    HONE_RATE_LIMITS: rateList.default({}),
    HONE_TRUSTED_PROXIES: proxyList.default(NETS.loopback ?? []),
  })
  .check(({ value, issues }) => {
    const refuse = (name: keyof typeof value) =>
      issues.push({ code: 'custom', input: value, path: [name], message: 'does not go with HONE_MODE' });
    if (value.HONE_MODE === 'local') {
      if (!LOOPBACK.test(value.HONE_HOST)) refuse('HONE_HOST');
      return;
    }
    if (value.HONE_SECRET === null || value.HONE_SECRET.length < TEAM_SECRET_LENGTH) refuse('HONE_SECRET');
    if (value.APP_URL === null) refuse('APP_URL');
    if (value.HONE_START_TOKEN === '1') refuse('HONE_START_TOKEN');
  })
  .transform((given) => ({
    /** TCP port, 1 to 65535. */
    port: given.PORT,
    /** Address to listen on. Always a loopback address in local mode, any in team mode. */
    host: given.HONE_HOST,
    /** Folder for the database, the key file and the lock, as configured. May be relative. */
    dataFolder: given.HONE_DATA_DIR,
    /** Connection string of an external PostgreSQL. Null: Hone starts its own. */
    databaseUrl: given.DATABASE_URL,
    /** `local`: one person on this machine, without sign-in. `team`: members who sign in. `secret` and `appUrl` are then set. */
    mode: given.HONE_MODE,
    /** Replaces the key file in the data folder. Null: the file is used. In team mode, also signs sessions. */
    secret: given.HONE_SECRET,
    /** Public URL of Hone if it is not `http://host:port`, without a trailing slash. */
    appUrl: given.APP_URL,
    /** In team mode: maximum age of a session in days after sign-in, regardless of use, 1 to 365. */
    sessionDays: given.HONE_SESSION_DAYS,
    /** In local mode: only browsers that opened the link with the installation's start token have access. */
    startToken: given.HONE_START_TOKEN === '1',
    /** Number of runs this process performs concurrently, 0 to 64. With 0, other processes perform all runs and background work. */
    workerSlots: given.HONE_WORKER_SLOTS,
    /** With a shared database: time that calls in flight may take to finish on shutdown, in seconds, 0 to 3600. */
    drainSeconds: given.HONE_DRAIN_SECONDS,
    /**
     * Time between reporting "not ready" and refusing requests on shutdown, in seconds, 0 to 300. With its own database, this is the only
     * process, so no other could take over requests.
     */
    shutdownDelaySeconds: given.HONE_SHUTDOWN_DELAY_SECONDS ?? (given.DATABASE_URL === null ? 0 : 5),
    /** Private hosts that providers may use in addition to loopback, in lower case, each `host` or `host:port`. */
    allowedPrivateHosts: given.HONE_ALLOWED_PRIVATE_HOSTS,
    /** Commands that may be started as MCP servers, by display name: the program and its arguments. */
    mcpCommands: given.HONE_MCP_COMMANDS,
    /** Limits per minute, for `streams` the number of concurrent streams. 0: unlimited. */
    rateLimits: { ...defaultRates(given.HONE_MODE), ...given.HONE_RATE_LIMITS },
    /** Proxies whose X-Forwarded-For header is trusted: their networks as `address/bits`, or the number of proxies in the chain. */
    trustedProxies: given.HONE_TRUSTED_PROXIES,
    /** Log format: lines for a terminal, or one JSON object per line (the default in team mode). */
    log: given.HONE_LOG ?? (given.HONE_MODE === 'team' ? 'json' : 'plain'),
  }));
