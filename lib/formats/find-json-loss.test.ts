import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonLoss } from './json-errors.ts';

test.each([
  ['{"n":9007199254740991,"m":1e21,"f":1.0,"d":0.1,"z":0e-400}'],
  ['{"n":12345678901234567168}'],
  ['{"n":18103498215127390}'],
  ['{"start_time_unix_nano": 1796005969294319547}'],
  ['{"n":"12345678901234567890"}'],
  ['{"n":"1e400 \\\\u0000 \\ud83d\\ude00"}'],
  ['{"12345678901234567890":1}'],
  ['null'],
])('%s is stored without loss', (json) => {
  expect(findJsonLoss(json)).toBeNull();
});

test.each([
  ['{"n":12345678901234567890}', 5, /number 12345678901234567890 can't be stored exactly/],
  ['{"n":-12345678901234567890}', 5, /number -12345678901234567890/],
  ['{"nano": [1796005969294319547]}', 10, /number 1796005969294319547/],
  ['[1, 1e400]', 4, /number 1e400/],
  ['[1e-400]', 1, /number 1e-400/],
  [`[${'9'.repeat(400)}]`, 1, /number 9{40}… can't be stored exactly/],
])('reports the loss of %s', (json, at, message) => {
  expect(findJsonLoss(json)).toMatchObject({ at, message: expect.stringMatching(message) });
});

test('finds no loss in JSON that JavaScript and the database can represent', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
      expect(findJsonLoss(JSON.stringify(value))).toBeNull();
    }),
  );
});

test('scans a long text without running out of memory', () => {
  expect(findJsonLoss(`["${'a\\n'.repeat(5_000_000)}", 1e400]`)).toMatchObject({
    message: expect.stringContaining('1e400'),
  });
});
