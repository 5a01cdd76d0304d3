import { expect, test } from 'vitest';
import { preserveHost } from './serve-pages.ts';

/** Returns the headers of a request after preserveHost, which Next also forwards. */
function passed(headers: Record<string, string>): Record<string, string> {
  const kept = { ...headers };
  preserveHost(kept);
  return kept;
}

test('restores the original host of a request that Next sends to its own server', () => {
  const asked = passed({ host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000' });
  expect(asked.host).toBe('127.0.0.1:3000');
  expect(passed({ ...asked, host: 'localhost:3000' })).toEqual(asked);
});

test.each([
  ['no secret', 'hone.example'],
  ['an empty secret', ' hone.example'],
  ['another secret', `${'x'.repeat(32)} hone.example`],
  ['multibyte characters', `${'é'.repeat(32)} hone.example`],
])('ignores and drops an x-hone-asked-host header with %s', (_, claim) => {
  const asked = passed({ host: 'attacker.example', 'x-hone-asked-host': claim });
  expect(asked.host).toBe('attacker.example');
  expect(asked['x-hone-asked-host']).not.toContain('hone.example');
  expect(passed({ ...asked, host: 'localhost:3000' }).host).toBe('attacker.example');
});
