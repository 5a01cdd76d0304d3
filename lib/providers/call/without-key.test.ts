import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redactKeyInStream, secretsOf, withoutKey } from './redact-secrets.ts';

const KEY = 'canary-canary-7';

test('removes the key from every text of a reply', () => {
  const reply = {
    text: `a ${KEY} b`,
    thought: KEY,
    toolCalls: [{ id: KEY, tool: KEY, arguments: `{"k":"${KEY}"}` }],
    finishReason: KEY,
    warnings: [KEY],
    tokenUsage: { input: 1, output: 1, total: 2 },
    costUsd: null,
    latencyMs: 1,
    attempts: 1,
  };
  const without = withoutKey({ ok: true, reply }, KEY);
  expect(without).toMatchObject({ ok: true, reply: { text: 'a [key] b', thought: '[key]' } });
  expect(JSON.stringify(without)).not.toContain('canary');
  expect(withoutKey({ ok: true, reply }, null)).toEqual({ ok: true, reply });
});

test.each(['lm-studio', 'not-needed', 'Anything', 'local server'])('keeps %s in an answer', (key) => {
  const failure = {
    ...{ kind: 'refused' as const, message: `No ${key}.`, remedy: key, status: null, attempts: 1, latencyMs: 1 },
    ...{ tokenUsage: { input: 0, output: 0, total: 0 }, costUsd: 0 },
  };
  expect(withoutKey({ ok: false, failure }, key)).toEqual({ ok: false, failure });
  let shown = '';
  const show = redactKeyInStream((piece) => {
    shown += piece;
  }, key);
  show?.(`Use ${key}`);
  expect(shown).toBe(`Use ${key}`);
});

test.each(['qkzjvxwplmtrbndf', 'AbCdEfGhIjKl', 'correct-horse-battery-staple-again-and-again', 'token1234'])(
  'removes the key %s without digits or with them',
  (key) => {
    let shown = '';
    const show = redactKeyInStream((piece) => {
      shown += piece;
    }, key);
    show?.(`Use ${key}!`);
    expect(shown).toBe('Use [key]!');
  },
);

test('streamed text never contains the key, however it is split, and loses nothing else', () => {
  const words = fc.array(fc.constantFrom(KEY, KEY.slice(0, 7), KEY.slice(0, 10), 'canary', '-', 'tide '), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(words, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (parts, cuts) => {
      const text = `${parts.join('')}.`;
      let shown = '';
      const show = redactKeyInStream((piece) => {
        shown += piece;
      }, KEY);
      for (let at = 0, cut = 0; at < text.length; cut++) {
        const length = cuts[cut % cuts.length] ?? 1;
        show?.(text.slice(at, at + length));
        at += length;
      }
      expect(shown).toBe(text.replaceAll(KEY, '[key]'));
    }),
  );
});

test.each([
  ['X-Title', 'Acme Classification'],
  ['HTTP-Referer', 'https://acme.example'],
  ['User-Agent', 'research assistant'],
  ['anthropic-beta', 'context-1m-2025-08-07'],
])('the header %s with public words is no secret', (name, value) => {
  expect(secretsOf({ apiKey: null, headers: { [name]: value } })).toEqual([]);
});

test('a header with an authorization scheme is a secret, also without the scheme', () => {
  const headers = {
    Authorization: 'Bearer inner-secret-2',
    'Proxy-Authorization': 'SSWS inner-secret-3',
    'X-Team': 'Acme Classification',
  };
  expect(secretsOf({ apiKey: 'k', headers })).toEqual([
    'k',
    'Bearer inner-secret-2',
    'inner-secret-2',
    'SSWS inner-secret-3',
    'inner-secret-3',
    'Acme Classification',
  ]);
});
