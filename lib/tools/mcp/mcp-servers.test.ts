import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AddressRules } from '#lib/outgoing/outgoing-address.ts';
import type { McpTarget } from './connect-mcp.ts';
import { type Interfere, startTestMcpServer, type TestMcpServer } from './mcp-server.test-support.ts';
import { mcpServers } from './mcp-servers.ts';

const LIVE = new AbortController().signal;
const LOOPBACK: AddressRules = { allowLoopback: true, allowedPrivateHosts: [] };
const KEY = 'canary-7f3a9c2e';

let server: TestMcpServer;
const servers = mcpServers({ rules: LOOPBACK });
beforeAll(async () => {
  server = await startTestMcpServer();
});
afterEach(() => server.interfere(null));
afterAll(async () => {
  await servers.close();
  await server.close();
});

function target(change: Partial<Extract<McpTarget, { kind: 'http' }>> = {}): McpTarget {
  return {
    name: 'weather',
    kind: 'http',
    url: server.url,
    headers: { authorization: `Bearer ${KEY}` },
    timeoutMs: 30_000,
    ...change,
  };
}

/** Returns a minimal fake server with an old protocol version that uses sessions. */
function oldServer(use: (id: unknown, response: Parameters<Interfere>[1]) => void, tools: object[] = []) {
  let sessions = 0;
  const interfere: Interfere = (request, response, body) => {
    const json = (value: unknown, headers = {}) =>
      response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
    if (request.method !== 'POST') response.writeHead(405).end();
    else {
      const { id, method } = JSON.parse(body);
      const session = request.headers['mcp-session-id'];
      if (method === 'initialize') {
        sessions++;
        const result = {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'old', version: '0' },
        };
        json({ jsonrpc: '2.0', id, result }, { 'mcp-session-id': `session-${sessions}` });
      } else if (session === undefined) response.writeHead(400).end();
      else if (session !== `session-${sessions}`) response.writeHead(404).end();
      else if (method === 'tools/call') use(id, response);
      else if (id === undefined) response.writeHead(202).end();
      else json({ jsonrpc: '2.0', id, result: { tools } });
    }
    return true;
  };
  return { interfere, sessions: () => sessions };
}

const respondOk = (id: unknown, response: Parameters<Interfere>[1]) =>
  void response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'fine' }] } }));

describe('listing the tools of a server', () => {
  test('uses the newest common protocol and returns names and schemas that models accept', async () => {
    const listing = await servers.list(target(), LIVE);
    if (!listing.ok) throw new Error(listing.message);
    expect(listing).toMatchObject({
      title: 'Weather of the test',
      version: '1.2.3',
      protocol: '2026-07-28',
      leftOut: [],
    });
    expect(listing.tools.map(({ name, original }) => [name, original])).toContainEqual([
      'weather__echo_env',
      'echo.env',
    ]);
    const forecast = listing.tools.find(({ original }) => original === 'forecast');
    expect(forecast).toMatchObject({
      name: 'weather__forecast',
      description: 'The weather of a city.',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      note: null,
    });
    expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test('omits tools that only run as tasks', async () => {
    const inputSchema = { type: 'object' };
    const tools = ['required', 'optional', 'forbidden'].map((taskSupport) => ({
      ...{ name: taskSupport, inputSchema },
      execution: { taskSupport },
    }));
    server.interfere(oldServer(respondOk, tools).interfere);
    expect(await servers.list({ ...target(), name: 'tasks' }, LIVE)).toMatchObject({
      tools: [{ original: 'optional' }, { original: 'forbidden' }],
      leftOut: ['required: it only runs as a task, which Hone does not support.'],
    });
  });

  test.each<[string, Interfere, RegExp, RegExp]>([
    [
      'rejects the request',
      (_, response) => !!response.writeHead(401).end(),
      /refused access \(status 401\)/,
      /Authorization/,
    ],
    ['is unreachable', (_, response) => !!response.writeHead(404).end(), /status 404/, /\/mcp/],
    [
      'redirects',
      (_, response) => !!response.writeHead(307, { location: 'http://evil.test/' }).end(),
      /redirect|307/,
      /./,
    ],
    [
      'returns an error',
      (_, response) => !!response.writeHead(500).end('stack trace'),
      /status 500/,
      /log of the server/,
    ],
    [
      'returns a web page',
      (_, response) => !!response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hi'),
      /./,
      /./,
    ],
    ['drops the connection', (_, response) => !!response.destroy(), /could not be reached|broke off/, /runs/],
    [
      'echoes the key',
      (request, response) => !!response.writeHead(400).end(`wrong: ${request.headers.authorization}`),
      /./,
      /./,
    ],
  ])('reports the problem of a server that %s', async (_name, interfere, message, remedy) => {
    server.interfere(interfere);
    const listing = await servers.list(target(), LIVE);
    expect(listing).toEqual({
      ok: false,
      message: expect.stringMatching(message),
      remedy: expect.stringMatching(remedy),
    });
    expect(JSON.stringify(listing)).not.toContain(KEY);
  });

  test('times out for a server that does not respond', async () => {
    server.interfere(() => true);
    expect(await servers.list(target({ timeoutMs: 300 }), LIVE)).toEqual({
      ok: false,
      message: 'did not respond within 0.3 seconds.',
      remedy: expect.stringContaining('raise its timeout'),
    });
  });

  test('does not connect to a private address', async () => {
    const before = server.requests.length;
    const guarded = mcpServers({ rules: { allowLoopback: false, allowedPrivateHosts: [] } });
    expect(await guarded.list(target(), LIVE)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/on this machine/),
    });
    const rebinding = mcpServers({
      rules: LOOPBACK,
      resolve: (_host, found) => found(null, [{ address: '10.0.0.1' }]),
    });
    const url = 'http://rebinds.test/mcp';
    expect(await rebinding.list(target({ url }), LIVE)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/rebinds\.test \(10\.0\.0\.1\) is on a private network/),
    });
    expect(server.requests.length).toBe(before);
  });
});

describe('calling a tool of a server', () => {
  test.each([
    ['a tool that responds', 'forecast', { city: 'Bern' }, 'ok', /^Sun in Bern\.$/],
    ['a tool that fails', 'fails', {}, 'failed', /^no such city$/],
    ['a tool that throws', 'throws', {}, 'failed', /barometer broke/],
    [
      'names other content types',
      'mixed',
      {},
      'ok',
      /^a map:\n\[image, image\/png, not shown\]\n\[link to more: https:\/\/example\.org\/more\]\ninside$/,
    ],
    ['a tool whose schema has changed', 'forecast', { town: 'Bern' }, 'failed', /city/],
    ['an unknown tool', 'sunrise', {}, 'failed', /sunrise/],
  ] as const)('%s', async (_name, tool, given, status, text) => {
    expect(await servers.use(target(), tool, given, LIVE)).toEqual({ status, text: expect.stringMatching(text) });
  });

  test('a call that hangs times out without blocking another call', async () => {
    const [hung, fine] = await Promise.all([
      servers.use({ ...target({ timeoutMs: 500 }), name: 'slow' }, 'hangs', {}, LIVE),
      servers.use(target(), 'forecast', { city: 'Bern' }, LIVE),
    ]);
    expect(hung).toEqual({
      status: 'failed',
      text: expect.stringMatching(/^The MCP server slow did not respond within 0\.5/),
    });
    expect(fine.status).toBe('ok');
  });

  test('a dropped connection fails the call, and the next call reconnects', async () => {
    server.interfere((_request, response, body) => {
      if (!body.includes('tools/call')) return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': begun\n\n');
      setTimeout(() => response.destroy(), 20);
      return true;
    });
    expect(await servers.use(target(), 'forecast', { city: 'Bern' }, LIVE)).toEqual({
      status: 'failed',
      text: 'The MCP server weather closed the connection before it responded.',
    });
    server.interfere(null);
    expect(await servers.use(target(), 'forecast', { city: 'Bern' }, LIVE)).toMatchObject({ status: 'ok' });
  });

  test('reports a stopped server as unreachable', async () => {
    const other = await startTestMcpServer();
    const there = { ...target({ url: other.url }), name: 'mortal' };
    expect(await servers.use(there, 'forecast', { city: 'Bern' }, LIVE)).toMatchObject({ status: 'ok' });
    await other.close();
    expect(await servers.use(there, 'forecast', { city: 'Bern' }, LIVE)).toEqual({
      status: 'failed',
      text: expect.stringMatching(/^The MCP server mortal could not be reached: .*ECONNREFUSED/),
    });
  });

  test('reuses a session, and opens a new one if the server lost it', async () => {
    const old = oldServer(respondOk);
    server.interfere(old.interfere);
    const there = { ...target(), name: 'old' };
    expect(await servers.use(there, 'x', {}, LIVE)).toEqual({ status: 'ok', text: 'fine' });
    expect(await servers.use(there, 'x', {}, LIVE)).toEqual({ status: 'ok', text: 'fine' });
    expect(old.sessions()).toBe(1);
    const again = oldServer(respondOk);
    // The restarted server rejects the old session until a new one is opened.
    const restarted: Interfere = (request, response, body) => {
      if (request.headers['mcp-session-id'] === 'session-1' && again.sessions() === 0)
        return !!response.writeHead(404).end();
      return again.interfere(request, response, body);
    };
    server.interfere(restarted);
    expect(await servers.use(there, 'x', {}, LIVE)).toEqual({ status: 'ok', text: 'fine' });
    expect(again.sessions()).toBe(1);
  });

  test('redacts header values that the server echoes', async () => {
    server.interfere(
      oldServer((id, response) => {
        const text = `you sent ${KEY} and Bearer ${KEY}`;
        const result = { content: [{ type: 'text', text }] };
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      }).interfere,
    );
    const answer = await servers.use({ ...target(), name: 'echoing' }, 'x', {}, LIVE);
    expect(answer.status).toBe('ok');
    expect(answer.text).not.toContain(KEY);
  });

  test('fails a response over the size limit', async () => {
    server.interfere(
      oldServer((id, response) => {
        const result = { content: [{ type: 'text', text: 'x'.repeat(4_100_000) }] };
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      }).interfere,
    );
    expect(await servers.use({ ...target(), name: 'flooding' }, 'x', {}, LIVE)).toMatchObject({
      status: 'failed',
      text: expect.stringMatching(/larger than 4 MB/),
    });
  });
});

describe('a stdio server', () => {
  const file = fileURLToPath(new URL('./stdio-server.test-support.ts', import.meta.url));
  const program = (change: Partial<Extract<McpTarget, { kind: 'stdio' }>> = {}): McpTarget => ({
    name: 'program',
    kind: 'stdio',
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', file],
    timeoutMs: 60_000,
    ...change,
  });

  test('is started, listed and called with only PATH and HOME, and stopped on close', async () => {
    process.env.CANARY_OF_THE_TEST = KEY;
    const own = mcpServers({ rules: LOOPBACK });
    const listing = await own.list(program(), LIVE);
    expect(listing).toMatchObject({ ok: true, title: 'Weather of the test' });
    const answer = await own.use(program(), 'echo.env', {}, LIVE);
    const env = z.record(z.string(), z.string()).parse(JSON.parse(answer.text));
    const given = Object.keys(env).filter((name) => env[name] !== '' && !name.startsWith('__CF'));
    expect(given.filter((name) => !['PATH', 'HOME'].includes(name))).toEqual([]);
    expect(given).toContain('PATH');
    expect(answer.text).not.toContain(KEY);
    await own.close();
    delete process.env.CANARY_OF_THE_TEST;
  });

  test('fails the call if it dies midway, and is started again by the next call', async () => {
    expect(await servers.use(program(), 'dies', {}, LIVE)).toEqual({
      status: 'failed',
      text: 'The MCP server program ended before it responded.',
    });
    expect(await servers.use(program(), 'forecast', { city: 'Bern' }, LIVE)).toMatchObject({ status: 'ok' });
  });

  test.each([
    ['that does not exist', { command: '/no/such/program', args: [] }, /there is no such program/],
    ['that is not a server', { args: ['-e', 'process.exit(3)'] }, /ended before it responded|could not be used/],
    [
      'that says why it ended',
      { args: ['-e', 'console.error("ModuleNotFoundError: no module\\n\\nNode.js v24"); process.exit(1)'] },
      /: ModuleNotFoundError: no module\.$/,
    ],
  ])('%s is reported as unusable', async (_name, change, message) => {
    expect(await servers.list(program(change), LIVE)).toMatchObject({
      ok: false,
      message: expect.stringMatching(message),
    });
  });
});
