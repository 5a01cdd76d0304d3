import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sealKey, unsealKey } from './sealed-key.ts';

const secret = Buffer.alloc(32, 7);
const sealed = sealKey(secret, 'openai', 'sk-geheim-ключ');

describe('a sealed key', () => {
  test('opens with the same secret and provider', () => {
    expect(unsealKey(secret, 'openai', sealed)).toBe('sk-geheim-ключ');
    expect(sealed).toMatch(/^v1\.[\w-]+$/);
    expect(sealed).not.toContain('geheim');
  });

  test('differs each time', () => {
    expect(sealKey(secret, 'openai', 'sk-geheim-ключ')).not.toBe(sealed);
  });

  test('can be empty', () => {
    expect(unsealKey(secret, 'openai', sealKey(secret, 'openai', ''))).toBe('');
  });

  const flipped = (at: number) => {
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return `v1.${bytes.toString('base64url')}`;
  };
  test.each<[string, Buffer, string, string]>([
    ['another secret', randomBytes(32), 'openai', sealed],
    ['another provider', secret, 'openai2', sealed],
    ['a changed nonce', secret, 'openai', flipped(0)],
    ['a changed tag', secret, 'openai', flipped(12)],
    ['a changed text', secret, 'openai', flipped(28)],
    ['another version', secret, 'openai', sealed.replace('v1', 'v2')],
    ['a truncated text', secret, 'openai', sealed.slice(0, 20)],
    ['an empty text', secret, 'openai', ''],
    ['a plain key', secret, 'openai', 'sk-plain'],
  ])('does not open with %s', (_name, key, provider, text) => {
    expect(unsealKey(key, provider, text)).toBeNull();
  });
});
