import { parseEnvironment } from '#lib/environment.ts';

/** Hosts that the app accepts and origins that may write, both normalized to lower case. */
export type HostRules = {
  /** `host:port` as sent by browsers. The port is omitted if it is the default of the scheme. */
  hosts: readonly string[];
  /** `scheme://host:port` as sent by browsers. */
  origins: readonly string[];
  /** Origin of APP_URL, which may write even if a proxy changes the Host header. Null if not set. */
  appOrigin: string | null;
};

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
const UNSPECIFIED = ['0.0.0.0', '::', '[::]'];

/**
 * Returns the rules for an app that listens on `port`: always loopback, plus the configured host and URL. `host` is the listening address
 * (HONE_HOST), `appUrl` the public URL (APP_URL). An invalid value adds nothing.
 */
export function openHostRules(listening: { port: number; host: string | null; appUrl: string | null }): HostRules {
  const urls = LOOPBACK.map((name) => toUrl(`http://${name}:${listening.port}`));
  if (listening.host !== null && !UNSPECIFIED.includes(listening.host)) {
    const name =
      listening.host.includes(':') && !listening.host.startsWith('[') ? `[${listening.host}]` : listening.host;
    urls.push(toUrl(`http://${name}:${listening.port}`));
  }
  const app = listening.appUrl === null ? null : toUrl(listening.appUrl);
  urls.push(app);
  const known = urls.filter((url) => url !== null);
  return {
    hosts: [...new Set(known.map((url) => url.host))],
    origins: [...new Set(known.map((url) => url.origin))],
    appOrigin: app?.origin ?? null,
  };
}

function toUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '' ? url : null;
}

/**
 * True if the Host header of a request names this app. In a DNS rebinding attack, the header contains the attacker's host name, so only
 * listed hosts are accepted. Case is ignored. Any other spelling of an allowed host (trailing dot, user info, long IPv6 form) is rejected.
 */
export function allowedHost(host: string | null, rules: HostRules): boolean {
  return host !== null && rules.hosts.includes(host.toLowerCase());
}

/**
 * Returns the origin of links to this app in a file for the sender of a request: that of APP_URL, otherwise the host that was requested.
 * Null if that host is not one of the app's.
 */
export function linkOrigin({ headers }: { headers: Headers }, rules: HostRules): string | null {
  const host = headers.get('host');
  return rules.appOrigin ?? (host !== null && allowedHost(host, rules) ? `http://${host.toLowerCase()}` : null);
}

/** Headers in which a browser reports the source of a request. Null if missing. */
export type RequestSource = { host: string | null; origin: string | null; secFetchSite: string | null };

/**
 * True if a write request comes from this app's own pages, or from a program, which sends neither header. Rejects `Origin: null`, other
 * sites, and other ports or names of this machine.
 */
export function allowedOrigin(source: RequestSource, rules: HostRules): boolean {
  if (source.secFetchSite !== null && source.secFetchSite !== 'same-origin') return false;
  if (source.origin === null) return true;
  if (!rules.origins.includes(source.origin)) return false;
  return source.origin === rules.appOrigin || URL.parse(source.origin)?.host === source.host?.toLowerCase();
}

/**
 * Returns the reason for rejecting a request, as a message for its sender, or null if it is accepted. `writes`: the request may change
 * data.
 */
export function findRefusal(request: { headers: Headers; writes: boolean }, rules: HostRules): string | null {
  const host = request.headers.get('host');
  if (!allowedHost(host, rules)) {
    return 'Hone does not accept this host name. Open Hone at its own address, or set APP_URL to the address that you use.';
  }
  const source = { host, origin: request.headers.get('origin'), secFetchSite: request.headers.get('sec-fetch-site') };
  if (request.writes && !allowedOrigin(source, rules)) {
    return 'This request comes from another site. Only pages of Hone can make changes.';
  }
  return null;
}

let hostRules: HostRules | null = null;

/**
 * Returns the rules of this process, parsed once from its environment. Throws if the environment is invalid, but startup rejects that
 * first.
 */
export function currentHostRules(): HostRules {
  hostRules ??= readHostRules();
  return hostRules;
}

function readHostRules(): HostRules {
  const environment = parseEnvironment(process.env);
  if (!environment.ok) throw new Error(environment.problem.message);
  return openHostRules(environment.value);
}
