import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { Finder, Found } from './finder.ts';

/**
 * Private, shared, link-local and loopback addresses of IPv4 and IPv6 and public ones of IPv6, with the port or length of the prefix
 * behind them. Four numbers outside of the private ranges may be a version (`1.2.3.4`): they go only where a word names a machine
 * (`the server at 203.0.113.7`). Four numbers in a private range stay behind a word that makes them a version or a place in a text
 * (`v10.0.1.2`, `version 10.0.1.2`, `section 10.1.2.3`).
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

/** The same on every machine, or names of whole kinds of networks: they tell nothing, as `localhost` without a port does not. */
const NO_MACHINE = new Set([
  '127.0.0.1',
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '::1',
  '::1/128',
  'fc00::',
  'fc00::/7',
  'fd00::/8',
  'fe80::',
  'fe80::/10',
  'fe80::/64',
  '2001:db8::',
  '2001:db8::/32',
]);
/** The shortest ones of those that are kept for examples. */
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
    // Every item of a list, in Python.
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

/** Also public addresses (2000::/3), and those of IPv4 in the form of IPv6. Shorter texts of this form are code (`a::b`). */
function isOfMachine(address: string): boolean {
  if (/^[23][0-9a-f]{3}:[0-9a-f]{1,4}:/i.test(address)) return true;
  const mapped = /^(?:0{0,4}:){2,5}(?:ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1];
  return mapped === undefined ? INSIDE.check(address, 'ipv6') : isIPv4(mapped) && INSIDE.check(mapped, 'ipv4');
}
