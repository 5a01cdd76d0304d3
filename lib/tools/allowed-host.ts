/**
 * Whether an address is on one of the hosts: `example.org` alone, or `*.example.org` for all below it and not itself. A host without a
 * port stands for 80 of http and 443 of https.
 */
export function isAllowedHost(url: URL, hosts: readonly string[]): boolean {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false;
  const name = url.hostname.replace(/\.$/, '').toLowerCase();
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return hosts.some((host) => {
    const [pattern = '', wanted = url.protocol === 'https:' ? '443' : '80'] = host.split(':');
    if (wanted !== port) return false;
    return pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) && name !== pattern.slice(2) : name === pattern;
  });
}
