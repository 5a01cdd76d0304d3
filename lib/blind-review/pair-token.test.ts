import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openPair, pairSeed, sealPair } from './blind-review.ts';

const context = { secret: randomBytes(32) };
const you = { experimentId: randomUUID(), actorId: 'you' };
const pair = { runId: randomUUID(), first: 0, second: 12, left: 12 };

describe('pair token', () => {
  test('opens with its sides for the reviewer it was sealed for', () => {
    expect(openPair(context, you, sealPair(context, you, pair))).toEqual(pair);
    expect(openPair(context, you, sealPair(context, you, { ...pair, left: 0 }))).toEqual({ ...pair, left: 0 });
  });

  test('is deterministic, unique per pair and of constant length', () => {
    const others = [pair, { ...pair, left: 0 }, { ...pair, second: 3, left: 3 }, { ...pair, runId: randomUUID() }];
    const tokens = others.map((one) => sealPair(context, you, one));
    expect(sealPair(context, you, pair)).toBe(tokens[0]);
    expect(new Set(tokens).size).toBe(4);
    expect(new Set(tokens.map(({ length }) => length)).size).toBe(1);
    for (const token of tokens) expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain(pair.runId);
  });

  test('does not open for anyone else, with another secret, or if modified', () => {
    const token = sealPair(context, you, pair);
    const flipped = `${token.slice(0, -2)}${token.at(-2) === 'A' ? 'B' : 'A'}${token.slice(-1)}`;
    expect(openPair(context, { ...you, actorId: 'Bea' }, token)).toBeNull();
    expect(openPair(context, { ...you, experimentId: randomUUID() }, token)).toBeNull();
    expect(openPair({ secret: randomBytes(32) }, you, token)).toBeNull();
    for (const made of [flipped, '', 'x', 'A'.repeat(102)]) expect(openPair(context, you, made)).toBeNull();
  });
});

test('the seed differs per reviewer and experiment', () => {
  const seeds = [you, { ...you, actorId: 'Bea' }, { ...you, experimentId: randomUUID() }].map((shownTo) =>
    pairSeed(context, shownTo),
  );
  expect(new Set(seeds).size).toBe(3);
  expect(pairSeed(context, you)).toBe(seeds[0]);
});
