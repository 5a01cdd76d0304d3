import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactLesson } from './redact-lesson.ts';
import { INNOCENT_TEXTS } from './test-texts/innocent-texts.test-support.ts';

/** Assembled at run time so that secret scanners do not flag this file. */
const made = (...parts: string[]) => parts.join('');
const BODY = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3kL5mN7pQ9rS1tU3v';
const PEM = made('MIIEpAIBAAKCAQEA', BODY, '\n', BODY, '\n', BODY);
const pem = (kind: string) =>
  made('-----BEGIN ', kind, 'PRIVATE', ' KEY-----\n', PEM, '\n-----END ', kind, 'PRIVATE', ' KEY-----');
const JWT = made('eyJ', 'hbGciOiJIUzI1NiJ9', '.eyJ', 'zdWIiOiIxMjM0NTY3ODkwIn0', '.', BODY.slice(0, 43));

const PLANTED: { name: string; kind: string; planted: string; around?: [before: string, after: string] }[] = [
  { name: 'an OpenAI key', kind: 'key', planted: made('sk-', 'proj-', BODY) },
  {
    name: 'an old OpenAI key',
    kind: 'key',
    planted: made('sk-', BODY.slice(0, 20), 'T3Blbk', 'FJ', BODY.slice(0, 20)),
  },
  { name: 'an Anthropic key', kind: 'key', planted: made('sk-', 'ant-api03-', BODY, BODY.slice(0, 29), 'AA') },
  { name: 'a Google key', kind: 'key', planted: made('AIza', 'Sy', BODY.slice(0, 33)) },
  { name: 'a GitHub token', kind: 'key', planted: made('gh', 'p_', BODY.slice(0, 36)) },
  { name: 'a fine-grained GitHub token', kind: 'key', planted: made('github', '_pat_', BODY, BODY.slice(0, 18)) },
  { name: 'a GitLab token', kind: 'key', planted: made('gl', 'pat-', BODY.slice(0, 20)) },
  {
    name: 'a Slack token',
    kind: 'key',
    planted: made('xox', 'b-', '123456789012-123456789012-', BODY.slice(0, 24)),
  },
  { name: 'a Stripe key', kind: 'key', planted: made('sk', '_live_', BODY.slice(0, 24)) },
  { name: 'a SendGrid key', kind: 'key', planted: made('S', 'G.', BODY.slice(0, 22), '.', BODY.slice(0, 43)) },
  { name: 'an AWS access key id', kind: 'key', planted: made('AK', 'IA', 'Q3EGUYB7XKZP2LMN') },
  {
    name: 'an AWS secret key',
    kind: 'key',
    planted: made('AWS_SECRET', '_ACCESS_KEY=', BODY.slice(0, 40)),
  },
  { name: 'an npm token', kind: 'key', planted: made('npm', '_', BODY.slice(0, 36)) },
  { name: 'a signed JSON web token', kind: 'key', planted: JWT },
  {
    name: 'a bearer token',
    kind: 'key',
    planted: BODY.slice(0, 32),
    around: ['curl -H "Authorization: Bearer ', '" /v1'],
  },
  {
    name: 'basic credentials',
    kind: 'key',
    planted: Buffer.from('anna:hunter2').toString('base64'),
    around: ['Authorization: Basic ', ''],
  },
  { name: 'an assigned key', kind: 'key', planted: BODY.slice(8, 30), around: ['api_key = "', '"'] },
  {
    name: 'a key in a query string',
    kind: 'key',
    planted: BODY.slice(0, 18),
    around: ['GET https://api.example.com/v1?key=', '&page=2'],
  },
  { name: 'an assigned password', kind: 'password', planted: 'correct-horse9', around: ['DB_PASSWORD=', ' npm start'] },
  {
    name: 'a password in JSON',
    kind: 'password',
    planted: 'opensesame',
    around: ['{"user": "anna", "password": "', '"}'],
  },
  {
    name: 'a password in prose',
    kind: 'password',
    planted: 'hunter22',
    around: ['The password is ', ' and has not changed.'],
  },
  {
    name: 'a password in a URL',
    kind: 'password',
    planted: made('https://anna:', 's3cr3t', '@git.example.com'),
    around: ['clone ', '/x.git'],
  },
  {
    name: 'a database URL with its password',
    kind: 'password',
    planted: made('postgres://app:', 'Zx81spectrum', '@db.example.com:5432/main'),
  },
  { name: 'a private key', kind: 'private key', planted: pem('RSA ') },
  { name: 'an unterminated private key', kind: 'private key', planted: pem('').split('\n-----END')[0] ?? '' },
  { name: 'an email address', kind: 'e-mail', planted: 'anna.k+news@mail.example.co.uk' },
  { name: 'an email address in words', kind: 'e-mail', planted: 'anna [at] example [dot] org' },
  { name: 'an email address in another alphabet', kind: 'e-mail', planted: 'jürgen@müller.example' },
  { name: 'a phone number with a country code', kind: 'phone', planted: '+44 20 7946 0958' },
  { name: 'a North American phone number', kind: 'phone', planted: '(212) 555-0187' },
  { name: 'a German phone number', kind: 'phone', planted: '030 90182034' },
  {
    name: 'a phone number after a keyword',
    kind: 'phone',
    planted: '5550187 22',
    around: ['phone: ', ', mornings only'],
  },
  { name: 'a card number', kind: 'card', planted: made('4111 1111', ' 1111 1111') },
  {
    name: 'a card number next to other numbers',
    kind: 'card',
    planted: made('3782', '822463', '10005'),
    around: ['order 12 on ', ' for 3 items'],
  },
  { name: 'an IBAN', kind: 'IBAN', planted: 'DE89 3704 0044 0532 0130 00' },
  { name: 'an IBAN without spaces', kind: 'IBAN', planted: 'GB29NWBK60161331926819' },
  { name: 'a social security number', kind: 'national id', planted: '536-90-4399' },
  { name: 'a national insurance number', kind: 'national id', planted: 'AB 12 34 56 C' },
  { name: 'a Spanish id', kind: 'national id', planted: '12345678Z' },
  { name: 'an Italian tax code', kind: 'national id', planted: 'RSSMRA85T10A562S' },
  { name: 'a French social security number', kind: 'national id', planted: '2 55 08 14 168 025 38' },
  { name: 'a Swedish personal number', kind: 'national id', planted: '811228-9874' },
  { name: 'a Finnish personal code', kind: 'national id', planted: '131052-308T' },
  {
    name: 'a Polish number after a keyword',
    kind: 'national id',
    planted: '44051401359',
    around: ['PESEL ', ''],
  },
  { name: 'an internal host', kind: 'host', planted: 'build-7.ci.acme.internal' },
  { name: 'a local network host with its port', kind: 'host', planted: 'nas.local:8443' },
  {
    name: 'a single-word host in a URL',
    kind: 'host',
    planted: 'jenkins:8080',
    around: ['open http://', '/job/7'],
  },
  { name: 'localhost with a port', kind: 'host', planted: 'localhost:5432' },
  { name: 'a network share', kind: 'host', planted: '\\\\fileserver\\reports' },
  { name: 'a private IP address', kind: 'address', planted: '192.168.10.12:8080' },
  { name: 'a private network', kind: 'address', planted: '10.20.0.0/16' },
  { name: 'the IPv6 loopback address', kind: 'address', planted: '::1', around: ['listen on [', ']:8080'] },
  { name: 'a link-local address', kind: 'address', planted: 'fe80::1ff:fe23:4567:890a%eth0' },
  { name: 'a unique local address', kind: 'address', planted: 'fd12:3456:789a::1' },
  { name: 'an IPv4-mapped IPv6 address', kind: 'address', planted: '::ffff:10.0.0.5' },
  { name: 'an email address with invisible characters', kind: 'e-mail', planted: 'an\u200bna@exam\u200dple.org' },
  { name: 'an email address in full-width characters', kind: 'e-mail', planted: 'anna＠ｅｘａｍｐｌｅ．ｏｒｇ' },
  { name: 'a card number in full-width digits', kind: 'card', planted: '４１１１ １１１１ １１１１ １１１１' },
  { name: 'a phone number in Arabic digits', kind: 'phone', planted: '+٤٤ ٢٠ ٧٩٤٦ ٠٩٥٨' },
  { name: 'a phone number with long dashes', kind: 'phone', planted: '212–555–0187' },
  {
    name: 'a key next to a comment',
    kind: 'key',
    planted: made('gh', 'p_', BODY.slice(0, 36)),
    around: ['secretlint-disable\n<!-- secretlint-disable-line --> ', ''],
  },
];

describe('redactLesson', () => {
  test.each(PLANTED)('$name', async ({ kind, planted, around: [before, after] = ['It failed with ', ' again.'] }) => {
    const { text, findings } = await redactLesson(`${before}${planted}${after}`);
    expect(text).toBe(`${before}[redacted: ${kind}]${after}`);
    expect(findings).toEqual([{ kind, count: 1 }]);
  });

  test('is tested with at least forty secrets', () => {
    expect(PLANTED.length).toBeGreaterThanOrEqual(40);
  });

  test('redacts everything in a text and counts each kind', async () => {
    const { text, findings } = await redactLesson('Ask anna@example.org or bo@example.org at 10.0.0.7, not 10.0.0.8.');
    expect(text).toBe('Ask [redacted: e-mail] or [redacted: e-mail] at [redacted: address], not [redacted: address].');
    expect(findings).toEqual([
      { kind: 'e-mail', count: 2 },
      { kind: 'address', count: 2 },
    ]);
  });

  test('keeps JSON escapes valid', async () => {
    const { text } = await redactLesson(JSON.stringify({ said: 'one\nanna@example.org\ttwo "10.0.0.1"' }));
    expect(JSON.parse(text)).toEqual({ said: expect.stringContaining('[redacted: e-mail]') });
    expect(text).not.toContain('10.0.0.1');
  });
});

test.each(INNOCENT_TEXTS.map((text) => ({ text })))('leaves harmless text unchanged: $text', async ({ text }) => {
  expect(await redactLesson(text)).toEqual({ text, findings: [] });
});

test.each([
  ['a version', 'version 10.0.1.2'],
  ['a version with a prefix', 'Chrome v10.0.1.2'],
  ['a public address', '8.8.8.8'],
  ['a card number with a wrong digit', made('4111 1111', ' 1111 1112')],
  ['an IBAN with a wrong digit', 'DE89 3704 0044 0532 0130 01'],
  ['a Spanish id with a wrong letter', '12345678A'],
  ['three numbers', '212 555 0187'],
  ['a number of nine digits', '123456782'],
  ['the loopback address without a port', '127.0.0.1'],
  ['a private network prefix', '192.168.0.0/16'],
  ['the prefix of link-local addresses', 'fe80::/10'],
  ['a documentation address', '2001:db8::1'],
  ['a request id next to a key', 'a wrong API key (request id: req_011CSHoEeqs5C35K2UUXKq)'],
  ['a commit hash next to a token', 'a token bug of commit 9fceb02d0ae598e95dc970b74767f19372d61af8'],
  ['a name with a date', 'server-side-fallback-2026-07-01'],
])('does not redact %s', async (_name, text) => {
  expect((await redactLesson(`It was ${text} then.`)).findings).toEqual([]);
});

test('redaction is idempotent', async () => {
  const piece = fc.oneof(
    fc.constantFrom(...PLANTED.map(({ planted, around }) => (around ?? ['', '']).join(planted))),
    fc.constantFrom(
      '[redacted: e-mail]',
      '[redacted: ',
      ']',
      '[',
      '@',
      ':',
      '=',
      '"',
      '\\',
      '-',
      '.',
      ' ',
      '\n',
      'password=',
      'api_key: ',
      '//',
      '0',
      '+49',
    ),
    fc.string({ maxLength: 12 }),
    fc.integer({ min: 0, max: 1e12 }).map(String),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
      const once = (await redactLesson(pieces.join(''))).text;
      expect(await redactLesson(once)).toEqual({ text: once, findings: [] });
    }),
    { numRuns: 200 },
  );
});

/** A loaded machine takes many times as long as the CPU time, which is what the tests limit. */
const MAX_WALL_MS = 120_000;

test.each([
  ['digits and spaces', '1 '],
  ['digits and dots', '10.'],
  ['letters', 'a'],
  ['letters and dots', 'a.'],
  ['at signs', 'a@'],
  ['key headers', '-----BEGIN PRIVATE KEY-----'],
  ['token prefixes', 'xoxb-1-'],
  ['password names', 'password='],
  ['URLs', 'http://a:'],
  ['colons', 'fe:'],
  ['quoted backslashes', '\\"'],
  ['dashes', '0-'],
  ['invisible characters', '1\u200b'],
  ['stated passwords', 'password is '],
  ['user and password pairs', 'a:b!'],
  ['hyphens', 'db-'],
  ['cookies', 'cookie: a=1;'],
  ['purposes of passwords', 'password for '],
  ['values used as passwords', 'use a1! as password '],
  ['ssh targets', 'ssh a@'],
  ['upper-case names', 'SRV-'],
  ['mixed words', 'aB3!x password '],
])('redacts 100 KB of %s in less than four seconds of CPU time', { timeout: MAX_WALL_MS }, async (_name, piece) => {
  await expectFast((length) => piece.repeat(Math.ceil(length / piece.length)), 4_000);
});

test.each([
  ['password is ', '.'],
  ['password is ', ')'],
  ['password: ', '!'],
  ['api_key = ', '?'],
  ['--token ', ':'],
  ['--token ', '1'],
  ['Authorization: Bearer ', '1'],
  ["password is '", '?'],
])(
  'redacts 100 KB of equal characters after %j (%j) in less than two seconds of CPU time',
  { timeout: MAX_WALL_MS },
  async (before, sign) => {
    await expectFast((length) => `${before}${sign.repeat(length)}${sign === '1' ? '' : 'a1'}`, 2_000);
  },
);

/** Expects 100 KB to take less than a limit of CPU time, or on a slow machine at most twice as long per character as 25 KB. */
async function expectFast(textOf: (length: number) => string, limitMs: number): Promise<void> {
  const cpuMs = async (length: number) => {
    const text = textOf(length);
    const startedAt = process.threadCpuUsage();
    await redactLesson(text);
    return process.threadCpuUsage(startedAt).user / 1_000;
  };
  const tookMs = await cpuMs(100_000);
  if (tookMs >= limitMs) expect(tookMs).toBeLessThan(8 * (await cpuMs(25_000)));
}
