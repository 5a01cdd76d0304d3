import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADDRESS_HEADER, openProxies, type Proxies } from '#lib/auth/client-address.ts';
import { markRequest } from './serve-pages.ts';

let trusted: Proxies = openProxies([]);
const server = createServer((request, response) => {
  markRequest(request, trusted);
  response.end(JSON.stringify(request.headers));
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

/** Returns the headers that a page receives for a request with the given ones. */
async function marked(headers: Record<string, string>, proxies: Proxies): Promise<IncomingHttpHeaders> {
  trusted = proxies;
  const { port } = server.address() as AddressInfo;
  return (await fetch(`http://127.0.0.1:${port}/`, { headers })).json();
}

const FORWARDED = { 'x-forwarded-for': '198.51.100.1' };
const CLAIMS = {
  ...{ [ADDRESS_HEADER]: '8.8.8.8', 'x-real-ip': '8.8.8.8', forwarded: 'for=8.8.8.8' },
  ...{ 'cf-connecting-ip': '8.8.8.8', 'true-client-ip': '8.8.8.8', 'x-client-ip': '8.8.8.8' },
};

test('ignores X-Forwarded-For without a trusted proxy', async () => {
  expect((await marked({ ...FORWARDED, ...CLAIMS }, openProxies([])))[ADDRESS_HEADER]).toBe('127.0.0.1');
  expect((await marked({ ...FORWARDED, ...CLAIMS }, openProxies(['10.0.0.7/32'])))[ADDRESS_HEADER]).toBe('127.0.0.1');
});

test('trusts X-Forwarded-For, and no other header, from a trusted proxy', async () => {
  const proxies = openProxies(['127.0.0.0/8']);
  expect((await marked({ ...FORWARDED, ...CLAIMS }, proxies))[ADDRESS_HEADER]).toBe('198.51.100.1');
  expect((await marked(CLAIMS, proxies))[ADDRESS_HEADER]).toBe('127.0.0.1');
});

test('keeps the client address when Next sends a request to its own server', async () => {
  const first = await marked(FORWARDED, openProxies(['127.0.0.0/8']));
  const sent = { [ADDRESS_HEADER]: '198.51.100.1', 'x-hone-asked-host': String(first['x-hone-asked-host']) };
  expect((await marked({ ...sent, 'x-forwarded-for': '203.0.113.9' }, openProxies([])))[ADDRESS_HEADER]).toBe(
    '198.51.100.1',
  );
});
