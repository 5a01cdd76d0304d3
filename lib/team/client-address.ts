import { BlockList, isIP } from 'node:net';

/** The request header in which the server tells its pages where a request comes from. What came in under this name is overwritten. */
export const ADDRESS_HEADER = 'x-hone-address';

const OWN_NET = new BlockList();
for (const [net, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  OWN_NET.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  OWN_NET.addSubnet(net, bits, 'ipv6');

/**
 * Where a request comes from: the socket's other end; or, where that is this machine or its private net (a proxy in front), the last
 * entry of X-Forwarded-For, which is the one that proxy wrote. Entries before it are what the asker claims.
 */
export function clientAddress(peer: string | undefined, forwardedFor: string | string[] | undefined): string {
  const socket = plainAddress(peer ?? '');
  if (socket === null) return 'unknown';
  if (!isOwnNet(socket)) return socket;
  const entries = [forwardedFor ?? []].flat().join(',').split(',');
  return plainAddress(entries.at(-1) ?? '') ?? socket;
}

/** The address alone, without port, brackets, zone, or IPv4 in the clothes of IPv6; null where it is none. */
function plainAddress(text: string): string | null {
  const trimmed = text.trim().toLowerCase();
  const bare =
    /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^(\d+(?:\.\d+){3})(?::\d+)?$/.exec(trimmed)?.[1] ?? trimmed;
  const unmapped = /^::ffff:(\d+(?:\.\d+){3})$/.exec(bare)?.[1] ?? bare.replace(/%.*$/, '');
  return isIP(unmapped) === 0 ? null : unmapped;
}

function isOwnNet(address: string): boolean {
  return OWN_NET.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
