import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUILT_IN_TOOLS } from '#lib/core/agents/base-settings.ts';
import {
  type Answer,
  raw,
  type ScriptedServer,
  startScriptedServer,
  status,
} from '#lib/testing/scripted-server.test-support.ts';
import { builtInTools } from './built-in-tools.ts';
import { htmlToText, httpGetTool, isAllowedHost } from './http-get-tool.ts';
import { makeToolbox } from './toolbox.ts';

const LIVE = new AbortController().signal;
const LOOPBACK = { allowLoopback: true, allowedPrivateHosts: [] };

const BOX = makeToolbox(
  builtInTools({
    httpHosts: ['example.org'],
    addresses: LOOPBACK,
    searchLessons: async (query, most) =>
      query === 'nothing'
        ? []
        : [
            { kind: 'lesson', text: 'Carry the one.' },
            { kind: 'failure', text: 'Read twice.' },
          ].slice(0, most),
  }),
);

function use(tool: string, given: unknown) {
  return BOX.use({ id: '0.0', tool, arguments: JSON.stringify(given) }, LIVE);
}

test('provides all built-in tools, each with an object schema', () => {
  expect(BOX.definitions.map(({ name }) => name)).toEqual([...BUILT_IN_TOOLS]);
  for (const { parameters, description } of BOX.definitions) {
    expect(parameters).toMatchObject({ type: 'object', additionalProperties: false });
    expect(description.length).toBeGreaterThan(50);
  }
});

describe('javascript', () => {
  test.each([
    ['returns the value of the last expression', '[3, 1, 2].sort()', 'ok', '[1,2,3]'],
    ['returns text unchanged', '`a "b"`', 'ok', 'a "b"'],
    [
      'returns the printed output, then the value',
      'console.log("x", {a: 1}, undefined); 2',
      'ok',
      'x {"a":1} undefined\n2',
    ],
    ['runs a function body with a return statement', 'const x = 20; return x + 1;', 'ok', '21'],
    ['awaits a promise', 'Promise.resolve(7)', 'ok', '7'],
    [
      'reports that there is no value',
      'let a = 1;',
      'ok',
      'The code ran without a result. End it with the expression whose value you want.',
    ],
    ['reports a number that is not finite', '1 / 0', 'ok', '{"notFinite":"Infinity"}'],
    ['reports an error', 'null.x', 'failed', /threw an error: TypeError/],
    ['reports a syntax error', 'JSON.parse("{")', 'failed', /threw an error: SyntaxError/],
    ['rejects code that is not JavaScript', 'let = = 1', 'failed', /threw an error: SyntaxError/],
    ['has no network', 'fetch("http://127.0.0.1")', 'failed', /fetch.* is not defined/],
    ['has no process', 'process.env', 'failed', /process.* is not defined/],
    ['has no clock', 'new Date()', 'failed', /Date.* is not defined/],
    ['stops an endless loop', 'for (;;) {}', 'failed', /ran longer than 1 second/],
    [
      'stops unlimited memory use',
      'const a = []; for (;;) a.push(new Array(1e5).fill(1))',
      'failed',
      /memory|longer than/,
    ],
  ])('%s', async (_name, code, outcome, text) => {
    expect(await use('javascript', { code })).toMatchObject({
      status: outcome,
      text: typeof text === 'string' ? text : expect.stringMatching(text),
    });
  });
});

test.each([
  ['matching lessons', { query: 'sums' }, '1. (lesson) Carry the one.\n2. (failure) Read twice.'],
  ['at most the requested number', { query: 'sums', limit: 1 }, '1. (lesson) Carry the one.'],
  ['none', { query: 'nothing' }, 'No lesson was found. Try other words.'],
])('lesson_search finds %s', async (_name, given, text) => {
  expect(await use('lesson_search', given)).toMatchObject({ status: 'ok', text });
});

describe('allowed hosts', () => {
  test.each([
    ['the host', 'https://example.org/a', ['example.org'], true],
    ['the host in upper case with a trailing dot', 'https://EXAMPLE.org./a', ['example.org'], true],
    ['not a subdomain', 'https://a.example.org/', ['example.org'], false],
    ['a subdomain of a wildcard', 'https://b.a.example.org/', ['*.example.org'], true],
    ['not the domain of a wildcard', 'https://example.org/', ['*.example.org'], false],
    ['not a host with the same ending', 'https://badexample.org/', ['*.example.org'], false],
    ['not the host as a user name', 'https://example.org@evil.test/', ['example.org'], false],
    ['not another port', 'https://example.org:8443/', ['example.org'], false],
    ['the given port', 'http://example.org:8443/', ['example.org:8443'], true],
    ['not without the given port', 'https://example.org/', ['example.org:8443'], false],
    ['not another protocol', 'ftp://example.org/', ['example.org'], false],
    ['none without allowed hosts', 'https://example.org/', [], false],
  ])('%s', (_name, url, hosts, isAllowed) => {
    expect(isAllowedHost(new URL(url), hosts)).toBe(isAllowed);
  });
});

describe('http_get', () => {
  let server: ScriptedServer;
  let next: Answer = raw('{}');
  beforeAll(async () => {
    server = await startScriptedServer([(...asked) => next(...asked)]);
  });
  afterAll(() => server.close());

  const PAGE =
    '<html><head><title>Rates &amp; fees</title><script>bad()</script></head><body><h1>Fees</h1><p>One&#32;euro</p></body></html>';
  const typed =
    (type: string, body: string | Buffer, headers: Record<string, string> = {}): Answer =>
    (response) =>
      void response.writeHead(200, { 'content-type': type, ...headers }).end(body);
  const moved =
    (location: string): Answer =>
    (response) =>
      void response.writeHead(302, { location }).end();
  const origin = () => new URL(server.baseUrl).origin;

  async function get(
    answer: Answer,
    options: { rules?: typeof LOOPBACK; host?: string; url?: string; timeoutMs?: number } = {},
  ) {
    next = answer;
    const { host, port } = new URL(server.baseUrl);
    const hosts = [options.host ?? host, 'there.test', 'rebinds.test'];
    const box = makeToolbox([
      httpGetTool({
        hosts: options.host === undefined ? hosts : [options.host, `rebinds.test:${port}`],
        rules: options.rules ?? LOOPBACK,
        timeoutMs: options.timeoutMs ?? 30_000,
        resolve: (_host, found) => found(null, [{ address: '127.0.0.1' }]),
      }),
    ]);
    const url = options.url ?? `${origin()}/page`;
    return box.use({ id: '0.0', tool: 'http_get', arguments: JSON.stringify({ url }) }, LIVE);
  }

  test.each([
    ['by IP address', (host: string, _port: string) => host],
    ['by host name', (_host: string, port: string) => `localhost:${port}`],
    ['by a host name that resolves to it', (_host: string, port: string) => `rebinds.test:${port}`],
    ['by hexadecimal IP address', (_host: string, port: string) => `0x7f000001:${port}`],
  ])('never connects to this machine for an agent: %s', async (_name, hostOf) => {
    const { host, port } = new URL(server.baseUrl);
    const given = hostOf(host, port);
    let requests = 0;
    next = (response) => {
      requests += 1;
      response.end('secret');
    };
    const box = makeToolbox(
      builtInTools({
        httpHosts: [given, host],
        // Even if the operator allows the address for other uses.
        addresses: { allowLoopback: true, allowedPrivateHosts: [host, `localhost:${port}`, `rebinds.test:${port}`] },
        resolve: (_host, found) => found(null, [{ address: '127.0.0.1' }]),
        searchLessons: async () => [],
      }),
    );
    const url = `http://${given}/page`;
    const answer = await box.use({ id: '0.0', tool: 'http_get', arguments: JSON.stringify({ url }) }, LIVE);
    expect(answer).toMatchObject({ status: 'failed', text: expect.stringContaining('on this machine') });
    expect(answer?.text).not.toContain('HONE_ALLOWED_PRIVATE_HOSTS');
    expect(requests).toBe(0);
  });

  let redirects = 0;
  test.each<[string, Answer, string, string | RegExp]>([
    ['returns text', typed('text/plain', 'Grüezi'), 'ok', 'Grüezi'],
    ['decodes text of another charset', typed('text/plain; charset=iso-8859-1', Buffer.from([0x47, 0xfc])), 'ok', 'Gü'],
    ['returns the text of a page', typed('text/html; charset=utf-8', PAGE), 'ok', 'Rates & fees\n\nFees\n\nOne euro'],
    ['returns JSON', typed('application/problem+json', '{"a":1}'), 'ok', '{"a":1}'],
    ['reports an empty response', typed('text/plain', ''), 'ok', 'The page is empty.'],
    ['rejects an image', typed('image/png', 'x'), 'failed', /without readable text \(image\/png\)/],
    [
      'rejects an unrequested compression',
      typed('text/plain', 'x', { 'content-encoding': 'br' }),
      'failed',
      /coded as br/,
    ],
    ['reports an HTTP error', status(404, 'no such page'), 'failed', /responded with status 404\. .*no such page/],
    ['rejects a response that is too large', typed('text/plain', 'x'.repeat(1_000_001)), 'failed', /larger than 1 MB/],
    [
      'follows a redirect',
      (...asked) => (redirects++ === 0 ? moved('/other')(...asked) : typed('text/plain', 'there')(...asked)),
      'ok',
      'there',
    ],
    ['stops after too many redirects', moved('/page'), 'failed', /more than 3 times/],
    [
      'rejects a redirect to another host',
      moved('http://evil.test/'),
      'failed',
      /^http:\/\/evil\.test\/ is not on an allowed host/,
    ],
    ['rejects a redirect to another port', moved('http://127.0.0.1:1/'), 'failed', /is not on an allowed host/],
    ['rejects a redirect to a file URL', moved('file:///etc/passwd'), 'failed', /is not on an allowed host/],
    ['rejects a redirect without a target', moved('http://'), 'failed', /redirects to an invalid URL/],
    ['reports a dropped connection', (response) => response.destroy(), 'failed', /^http_get failed: /],
  ])('%s', async (_name, answer, outcome, text) => {
    expect(await get(answer)).toMatchObject({
      status: outcome,
      text: typeof text === 'string' ? text : expect.stringMatching(text),
    });
  });

  test('times out without a response', async () => {
    expect(await get(() => undefined, { timeoutMs: 300 })).toMatchObject({
      status: 'timed_out',
      text: expect.stringMatching(/did not respond within 0\.3 seconds/),
    });
  });

  test('sends no request to a host that is not allowed', async () => {
    const before = server.requests.length;
    expect(await get(typed('text/plain', 'x'), { host: 'example.org' })).toMatchObject({
      status: 'failed',
      text: expect.stringContaining('is not on an allowed host: example.org'),
    });
    expect(server.requests.length).toBe(before);
  });

  test('sends no request to an allowed host that is or resolves to this machine', async () => {
    const before = server.requests.length;
    const url = `http://rebinds.test:${new URL(server.baseUrl).port}/`;
    expect(await get(typed('text/plain', 'x'), { host: 'x.test', url })).toMatchObject({
      status: 'failed',
      text: expect.stringMatching(/must be a public address: rebinds\.test \(127\.0\.0\.1\) is on this machine/),
    });
    expect(await get(typed('text/plain', 'x'), { rules: { ...LOOPBACK, allowLoopback: false } })).toMatchObject({
      status: 'failed',
      text: expect.stringMatching(/is on this machine, which is refused/),
    });
    expect(server.requests.length).toBe(before);
  });
});

describe('text of an HTML page', () => {
  test.each([
    ['without tags', 'a < b & c', 'a < b & c'],
    ['lists', '<ul><li>a<li>b</ul>', 'a\nb'],
    ['without comments and scripts', 'a<!-- <p>no --><style>p{}</style><SCRIPT>x</SCRIPT>b', 'ab'],
    ['with an unclosed element', 'a<script>b', 'a'],
    ['with an unclosed tag', 'a<p', 'a'],
    ['with numeric entities', '&#x41;&#66;&bogus;&#0;', 'AB&bogus;&#0;'],
    ['with letters that grow when lower-cased', `${'İ'.repeat(50)}<script>x</script>b`, `${'İ'.repeat(50)}b`],
  ])('%s', (_name, html, text) => {
    expect(htmlToText(html)).toBe(text);
  });
});
