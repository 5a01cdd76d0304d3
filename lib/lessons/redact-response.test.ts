import { expect, test } from 'vitest';
import { redactResponse } from './redact-lesson.ts';
import { SPELLED_SECRETS } from './test-texts/corpus.test-support.ts';

test.each([
  ['plain words', 'Ask anna@example.org.', 'Ask [redacted: e-mail].'],
  ['JSON', '{"rule":"Ask anna@example.org."}', '{"rule":"Ask [redacted: e-mail]."}'],
  ['escaped JSON', '{"rule":"Ask anna\\u0040example.org\\n- now"}', '{"rule":"Ask [redacted: e-mail]\\n- now"}'],
  [
    'escaped JSON in a code block',
    '```json\n{"a": "http:\\/\\/jenkins:8080\\/x"}\n```',
    '```json\n{"a": "http://[redacted: host]/x"}\n```',
  ],
  ['an unclosed quotation mark', 'He said "C:\\x and left', 'He said "C:\\x and left'],
  [
    'a password at the end of a JSON string',
    '{"a":["Name the unit, password hunter2secret!"],"b":[{"c":"A guide"}]}',
    '{"a":["Name the unit, password [redacted: password]"],"b":[{"c":"A guide"}]}',
  ],
  ['JSON without secrets', '{"a":"\\u00e9 \\n"}', '{"a":"\\u00e9 \\n"}'],
])('%s', async (_name, reply, expected) => {
  expect(await redactResponse(reply)).toBe(expected);
});

test('keeps JSON valid when a string ends in a secret', async () => {
  for (const { text } of SPELLED_SECRETS) {
    const reply = JSON.stringify({ rules: [text, 'Outline first!'], steps: [{ password: text, goal: 'A guide' }] });
    expect(Object.keys(JSON.parse(await redactResponse(reply)))).toEqual(['rules', 'steps']);
  }
});
