import { describe, expect, test } from 'vitest';
import { redactTrace } from './trace.ts';

const SECRET = 's3cr3t-value';

describe('a secret in a trace is replaced', () => {
  test.each([
    ['in a field', { 'x-api-key': SECRET }],
    ['in a list of values', { 'set-cookie': [`sid=${SECRET}`, `theme=${SECRET}`] }],
    ['in an object under its name', { credentials: { user: SECRET, more: [{ deep: SECRET }] } }],
    ['in a pair', { headers: [['x-api-key', SECRET]] }],
    ['in a flat list of names and values', { rawHeaders: ['host', 'example.com', 'x-api-key', SECRET] }],
    ['in a name and a value property', { headers: [{ name: 'x-api-key', value: SECRET }] }],
    ['in a key and a values property', { headers: [{ key: 'Authorization', values: [SECRET] }] }],
    ...['privateKey', 'access_key', 'secretAccessKey', 'passphrase', 'clientSecret', 'csrfToken', 'passwords'].map(
      (name): [string, unknown] => [`in ${name}`, { [name]: SECRET }],
    ),
    ['in JSON text', JSON.stringify({ headers: { 'x-api-key': SECRET } })],
    ['in nested JSON text', JSON.stringify({ body: JSON.stringify({ credentials: { a: { b: SECRET } } }) })],
    ['in truncated JSON text', `{"headers":{"x-api-key":"${SECRET}","accept":"applica… (cut)`],
    ['if it is truncated itself', `{"headers":{"x-api-key":"${SECRET}`],
    ['if it contains a quote', `{"password":"a\\"${SECRET}","page": … (cut)`],
    ['in escaped, truncated JSON text', `{"body":"{\\"password\\":\\"${SECRET}\\",\\"page\\":\\"… (cut)`],
    ['in a list in truncated JSON text', `{"set-cookie":["a=${SECRET}","b=${SECRET}"],"page… (cut)`],
    ['in a pair in truncated JSON text', `{"headers":[["x-api-key","${SECRET}"],["a… (cut)`],
    ['in a name and a value property in truncated JSON text', `[{"name":"x-api-key","value":"${SECRET}"},{"na… (cut)`],
    ['in a printed Python dictionary', `{'password': '${SECRET}', 'page': None}`],
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
    'token counts and positions',
    { input_tokens: 512, usage: { totalTokens: 3 }, nextPageToken: 'page 2', maxToken: 'a' },
  ],
  ['an empty secret', { password: null, hasPassword: true }],
  ['prose about secrets', ['Enter your "password", then sign in.', 'The password: at least 8 characters.']],
  ['JSON text unchanged', '{ "page": 1.0, "id": 12345678901234567890 }'],
  ['a name without a value', [{ name: 'get_token', input: { id: 1 } }, ['query', 'other', 'password']]],
  ['text that is nested too deeply to parse', '['.repeat(100_000)],
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
