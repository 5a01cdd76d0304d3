import { describe, expect, test } from 'vitest';
import { withoutSecrets } from './log-bug.ts';

describe('withoutSecrets', () => {
  test.each([
    ['an OpenAI key', 'Incorrect key sk-proj-CANARY_1234567890abcdef given'],
    ['a Google key', 'key=AIzaCANARY1234567890abcdefghijk'],
    ['a bearer token', 'headers: { authorization: "Bearer CANARY.abc-123" }'],
    ['a password in an address', 'connect postgresql://hone:CANARY@db:5432/hone failed'],
    ['a member named apiKey', '{"name":"x","apiKey":"CANARY 1"}'],
    ['an assignment', 'HONE_SECRET: CANARYCANARY'],
  ])('takes out %s', (_name, text) => {
    expect(withoutSecrets(text)).not.toContain('CANARY');
  });

  test('keeps what helps to find the bug', () => {
    const stack = 'TypeError: x is not a function\n    at findRun (lib/db/find-run.ts:12:7)';
    expect(withoutSecrets(stack)).toBe(stack);
  });
});
