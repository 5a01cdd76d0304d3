import { describe, expect, test } from 'vitest';
import { redactTrace } from './redact-trace.ts';

const SECRET = 's3cr3t-value';

describe('a secret in a trace is replaced', () => {
  test.each([
    ['in a field', { 'x-api-key': SECRET }],
    ['in a list of values', { 'set-cookie': [`sid=${SECRET}`, `theme=${SECRET}`] }],
    ['in an object below its name', { credentials: { user: SECRET, more: [{ deep: SECRET }] } }],
    ['in a pair', { headers: [['x-api-key', SECRET]] }],
    ['in a flat list of names and values', { rawHeaders: ['host', 'example.com', 'x-api-key', SECRET] }],
    ['in a name and a value', { headers: [{ name: 'x-api-key', value: SECRET }] }],
    ['in a key and values', { headers: [{ key: 'Authorization', values: [SECRET] }] }],
    ...['privateKey', 'access_key', 'secretAccessKey', 'passphrase', 'clientSecret', 'csrfToken', 'passwords'].map(
      (name): [string, unknown] => [`in ${name}`, { [name]: SECRET }],
    ),
    ['in JSON text', JSON.stringify({ headers: { 'x-api-key': SECRET } })],
    ['in JSON text in JSON text', JSON.stringify({ body: JSON.stringify({ credentials: { a: { b: SECRET } } }) })],
    ['in shortened JSON text', `{"headers":{"x-api-key":"${SECRET}","accept":"applica… (cut)`],
    ['cut off itself', `{"headers":{"x-api-key":"${SECRET}`],
    ['with a quote in it', `{"password":"a\\"${SECRET}","page": … (cut)`],
    ['in escaped, shortened JSON text', `{"body":"{\\"password\\":\\"${SECRET}\\",\\"page\\":\\"… (cut)`],
    ['in a list of shortened JSON text', `{"set-cookie":["a=${SECRET}","b=${SECRET}"],"page… (cut)`],
    ['in a pair of shortened JSON text', `{"headers":[["x-api-key","${SECRET}"],["a… (cut)`],
    ['in a name and a value of shortened JSON text', `[{"name":"x-api-key","value":"${SECRET}"},{"na… (cut)`],
    ['in the text form of a Python dictionary', `{'password': '${SECRET}', 'page': None}`],
    ['in a Python list of pairs', `[('authorization', '${SECRET}'), ('accept', '*/*')]`],
    ['in Python bytes', `[(b'authorization', b'${SECRET}')]`],
    ['in a Python tuple', `{'password': ('a', '${SECRET}'), 'page': 1}`],
    ['in the field apiToken', { apiToken: SECRET }],
    ['in the field githubToken', { githubToken: SECRET }],
  ])('%s', (_name, trace) => {
    const redacted = JSON.stringify(redactTrace(trace, null));
    expect(redacted).not.toContain(SECRET);
    expect(redacted).toContain('[secret]');
  });

  test('as a number', () => {
    expect(redactTrace({ password: 123_456, text: '{"password":123456, "a… (cut)' }, null)).toEqual({
      password: '[secret]',
      text: '{"password":"[secret]", "a… (cut)',
    });
  });

  test('as the key of the target', () => {
    expect(redactTrace([`sent ${SECRET}`], SECRET)).toEqual(['sent [key]']);
  });
});

test.each([
  [
    'counts and places of tokens',
    { input_tokens: 512, usage: { totalTokens: 3 }, nextPageToken: 'page 2', maxToken: 'a' },
  ],
  ['an absent secret', { password: null, hasPassword: true }],
  ['prose about secrets', ['Enter your "password", then sign in.', 'The password: at least 8 characters.']],
  ['JSON text as the app wrote it', '{ "page": 1.0, "id": 12345678901234567890 }'],
  ['a name without a value', [{ name: 'get_token', input: { id: 1 } }, ['query', 'other', 'password']]],
  ['text that is nested too deeply to read', '['.repeat(100_000)],
])('keeps %s in a trace', (_name, trace) => {
  expect(redactTrace(trace, null)).toEqual(trace);
});

test('replaces characters that cannot be stored', () => {
  expect(redactTrace(['a\u0000b', { name: '\ud800' }], null)).toEqual(['a\ufffdb', { name: '\ufffd' }]);
});

test('redacts 900,000 characters of hostile text without quadratic slowdown', () => {
  const texts = [
    '"password":"',
    '\\'.repeat(9),
    '"token"',
    "['secret',",
    '"cookie":{',
    '"a'.repeat(9),
    '"name":"password",',
  ];
  const before = performance.now();
  for (const text of texts) redactTrace(text.repeat(900_000 / text.length), null);
  expect(performance.now() - before).toBeLessThan(5_000);
});
