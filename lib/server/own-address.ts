/** `http://host:port` at which this machine reaches what listens on `host`, which may stand for all its addresses. */
export function ownAddress(host: string, port: number): string {
  return `http://${hostInAddress(reachedAt(host))}:${port}`;
}

/** `host` as it stands in an address. */
export function hostInAddress(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

function reachedAt(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' || host === '[::]' ? '::1' : host;
}
