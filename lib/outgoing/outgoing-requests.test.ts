import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { embeddingRequest } from '#lib/core/embedding-request.ts';
import { createModelCaller } from '#lib/providers/call/create-model-caller.ts';
import { testConnection } from '#lib/providers/test-connection.ts';
import { httpGetTool } from '#lib/tools/http-get-tool.ts';
import { mcpServers } from '#lib/tools/mcp/mcp-servers.ts';
import { sendWebhook } from '#lib/webhooks/send-webhook.ts';
import type { AddressRules, Resolve } from './outgoing-address.ts';

/** Sends a request to an address through one feature and returns the outcome as text. */
type Client = (address: string, rules: AddressRules, resolve: Resolve) => Promise<string>;

const signal = new AbortController().signal;
const provider = (baseUrl: string) =>
  ({ name: 'p', kind: 'openai-compatible', baseUrl, apiKey: 'key-12345678', prices: {} }) as const;
const model = { provider: 'p', model: 'm' };

/** All features that send requests to an address set by a person. */
const CLIENTS: Record<string, Client> = {
  'a model call': async (address, addresses, resolve) => {
    const call = createModelCaller({
      addresses,
      resolve,
      resolveProvider: async () => provider(address),
      maxAttempts: 1,
    });
    const request = { instructions: '', prompt: 'x', model, ordinal: 0, temperature: null, output: null };
    return JSON.stringify(
      await call({ ...request, role: 'generate', maxOutputTokens: null }, { signal, onText: null }),
    );
  },
  'an embedding call': async (address, addresses, resolve) => {
    const call = createModelCaller({
      addresses,
      resolve,
      resolveProvider: async () => provider(address),
      maxAttempts: 1,
    });
    return JSON.stringify(await call({ ...embeddingRequest(['x']), model, ordinal: 0 }, { signal, onText: null }));
  },
  'a connection test': async (address, addresses, resolve) =>
    JSON.stringify(await testConnection(provider(address), { addresses, resolve, timeoutMs: 2_000 })),
  'a webhook': async (url, rules, resolve) =>
    JSON.stringify(
      await sendWebhook(
        { name: 'w', url, secret: 's' },
        {},
        { rules, resolve, signal, limits: { timeoutMs: 2_000, backOffMs: [] } },
      ),
    ),
  'an MCP server': async (url, rules, resolve) => {
    const servers = mcpServers({ rules, resolve });
    const listed = await servers.list({ name: 'm', kind: 'http', url, headers: {}, timeoutMs: 2_000 }, signal);
    await servers.close();
    return JSON.stringify(listed);
  },
  'a tool that fetches pages': async (url, rules, resolve) => {
    const tool = httpGetTool({ hosts: [new URL(url).host, `127.0.0.1:${within.port}`], rules, resolve });
    return tool.run({ url }, signal).then(JSON.stringify, String);
  },
};

/** Internal server that is not allowed: it must receive no connection. */
const within = { connections: 0, port: 0 };
/** Server allowed by the operator: it redirects to the internal one. */
const named = { requests: 0, port: 0 };
const servers: Server[] = [];

async function listen(listener: RequestListener): Promise<{ server: Server; port: number }> {
  // Listens on all addresses of this machine, IPv4 and IPv6.
  const server = createServer(listener).listen(0);
  servers.push(server);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return { server, port: address.port };
}

beforeAll(async () => {
  const inner = await listen((_request, response) => response.end('{"data":[{"id":"secret"}]}'));
  within.port = inner.port;
  inner.server.on('connection', () => {
    within.connections += 1;
  });
  const outer = await listen((_request, response) => {
    named.requests += 1;
    response.writeHead(307, { location: `http://127.0.0.1:${within.port}/` }).end();
  });
  named.port = outer.port;
});
beforeEach(() => {
  within.connections = 0;
  named.requests = 0;
});
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

/** Pages are read only from hosts named in an experiment, which cannot be IPv6 addresses. */
const REFUSED = /must be a public address|\[\S+ is not on an allowed host/;
const TEAM: AddressRules = { allowLoopback: false, allowedPrivateHosts: [] };
const ADDRESSES: [string, string, string[]][] = [
  ['loopback', '127.0.0.1', []],
  ['another loopback address', '127.7.7.7', []],
  ['loopback by host name', 'localhost', ['127.0.0.1']],
  ['loopback as one number', '2130706433', []],
  ['loopback in hexadecimal', '0x7f000001', []],
  ['loopback in octal', '0177.0.0.1', []],
  ['loopback in short form', '127.1', []],
  ['the unspecified address', '0.0.0.0', []],
  ['IPv6 loopback', '[::1]', []],
  ['IPv4-mapped loopback', '[::ffff:127.0.0.1]', []],
  ['the unspecified IPv6 address', '[::]', []],
  ['cloud metadata', '169.254.169.254', []],
  ['a host name for loopback', 'rebound.example', ['127.0.0.1']],
  ['a host name for IPv6 loopback', 'rebound.example', ['::1']],
  ['a host name for a public and a loopback address', 'rebound.example', ['93.184.216.34', '127.0.0.1']],
  ['a host name for cloud metadata', 'rebound.example', ['169.254.169.254']],
];

describe.each(Object.entries(CLIENTS))('%s does not connect to internal addresses', (_client, goOut) => {
  test.each(ADDRESSES)('%s: %s', async (_name, host, found) => {
    const resolve: Resolve = (_host, respond) =>
      respond(
        null,
        found.map((address) => ({ address })),
      );
    expect(await goOut(`http://${host}:${within.port}/`, TEAM, resolve)).toMatch(REFUSED);
    expect(within.connections).toBe(0);
  });

  test('a name that resolves to a different address on each lookup', async () => {
    let looks = 0;
    const resolve: Resolve = (_host, respond) =>
      respond(null, [{ address: looks++ === 0 ? '192.0.2.1' : '127.0.0.1' }]);
    for (let times = 0; times < 2; times++)
      expect(await goOut(`http://rebound.example:${within.port}/`, TEAM, resolve)).toMatch(REFUSED);
    expect(within.connections).toBe(0);
  });

  test('a redirect from an allowed address', async () => {
    const rules = { allowLoopback: false, allowedPrivateHosts: [`127.0.0.1:${named.port}`] };
    const resolve: Resolve = (_host, respond) => respond(null, [{ address: '127.0.0.1' }]);
    const response = await goOut(`http://127.0.0.1:${named.port}/`, rules, resolve);
    expect(named.requests).toBeGreaterThan(0);
    expect(within.connections).toBe(0);
    expect(response).not.toContain('secret');
  });

  test('connects to an allowed address', async () => {
    const rules = { allowLoopback: false, allowedPrivateHosts: [`127.0.0.1:${within.port}`] };
    await goOut(`http://127.0.0.1:${within.port}/`, rules, (_host, respond) => respond(null, []));
    expect(within.connections).toBeGreaterThan(0);
  });
});
