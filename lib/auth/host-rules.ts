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
