import { parseEnvironment } from '#lib/environment.ts';

/** How this app is reached: the hosts it answers to and the origins that may write, both in lower case and normal form. */
export type HostRules = {
  /** `host:port` as browsers send it; the port is left out where it is the scheme's default. */
  hosts: readonly string[];
  /** `scheme://host:port` as browsers send it. */
  origins: readonly string[];
  /** Origin of APP_URL: may write even where a proxy in front changes the Host header. Null where none is set. */
  appOrigin: string | null;
};

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
const UNSPECIFIED = ['0.0.0.0', '::', '[::]'];

/**
 * The doors of an app that listens on `port`: loopback always, and the configured host and URL where there are any.
 * `host` is the address it listens on (HONE_HOST), `appUrl` the URL people use (APP_URL); an unreadable one adds nothing.
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
 * Whether a request's Host header names this app. A page of another site that points its name at this machine
 * (DNS rebinding) sends its own name here, so only the names in the list are answered. Case does not matter;
 * every other spelling of an allowed host (trailing dot, user info, long IPv6 form) is refused.
 */
export function allowedHost(host: string | null, doors: HostRules): boolean {
  return host !== null && doors.hosts.includes(host.toLowerCase());
}

/** What a browser says about where a request comes from: the headers as they stand, null where missing. */
export type RequestSource = { host: string | null; origin: string | null; secFetchSite: string | null };

/**
 * Whether a request that writes comes from this app's own pages, or from a program (which sends neither header).
 * `Origin: null`, another site, and another port or name of this same machine are refused.
 */
export function allowedOrigin(source: RequestSource, doors: HostRules): boolean {
  if (source.secFetchSite !== null && source.secFetchSite !== 'same-origin') return false;
  if (source.origin === null) return true;
  if (!doors.origins.includes(source.origin)) return false;
  return source.origin === doors.appOrigin || URL.parse(source.origin)?.host === source.host?.toLowerCase();
}

/** Why a request is not let in, in words for the person who sent it; null where it is. `writes`: it may change something. */
export function findRefusal(request: { headers: Headers; writes: boolean }, doors: HostRules): string | null {
  const host = request.headers.get('host');
  if (!allowedHost(host, doors)) {
    return 'Hone does not accept this host name. Open Hone at its own address, or set APP_URL to the address that you use.';
  }
  const source = { host, origin: request.headers.get('origin'), secFetchSite: request.headers.get('sec-fetch-site') };
  if (request.writes && !allowedOrigin(source, doors)) {
    return 'This request comes from another site. Only pages of Hone can make changes.';
  }
  return null;
}

let doors: HostRules | null = null;

/** The doors of this process, from its environment, read once. Throws where the environment is wrong: the start refuses that first. */
export function currentHostRules(): HostRules {
  doors ??= readDoors();
  return doors;
}

function readDoors(): HostRules {
  const environment = parseEnvironment(process.env);
  if (!environment.ok) throw new Error(environment.problem.message);
  return openHostRules(environment.value);
}
