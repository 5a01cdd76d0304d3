import { expect, test } from 'vitest';
import { priceOf } from './list-price.ts';
import type { ProviderConfiguration } from './provider-configuration.ts';
import type { ProviderKind } from './provider-kinds.ts';

const AT = new Date('2026-05-04T10:00:00Z');
const MILLION = { input: 1_000_000, output: 1_000_000, cached: 0 };
const own = { inputPerMillionUsd: 2, outputPerMillionUsd: 6 };

function provider(kind: ProviderKind, prices: ProviderConfiguration['prices'] = {}): ProviderConfiguration {
  return { name: 'p', kind, baseUrl: null, apiKey: null, prices };
}

function groq(prices: ProviderConfiguration['prices'] = {}): ProviderConfiguration {
  return { ...provider('openai-compatible', prices), baseUrl: 'https://api.groq.com/openai/v1' };
}

test.each<[string, ProviderConfiguration, string, number | null]>([
  ['custom prices', provider('openai-compatible', { small: own }), 'small', 8],
  ['custom prices before list prices', provider('openai', { 'gpt-4o': own }), 'gpt-4o', 8],
  [
    'custom prices of 0',
    provider('openai-compatible', { small: { inputPerMillionUsd: 0, outputPerMillionUsd: 0 } }),
    'small',
    0,
  ],
  ['a list price', provider('openai'), 'gpt-4o', 12.5],
  ['an unknown model', provider('openai'), 'no-such-model-at-all', null],
  ['a local server', provider('openai-compatible'), 'gpt-4o', null],
  ['a public OpenAI-compatible server', groq(), 'llama-3.3-70b-versatile', 1.38],
  [
    'custom prices of a public OpenAI-compatible server',
    groq({ 'llama-3.3-70b-versatile': own }),
    'llama-3.3-70b-versatile',
    8,
  ],
  ['the practice model', provider('practice'), 'practice-1', 2],
  ['a name of an Object.prototype member', provider('openai-compatible'), 'constructor', null],
])('%s', (_name, configuration, model, expected) => {
  expect(priceOf(configuration, model, MILLION, AT)).toEqual(expected === null ? null : expect.closeTo(expected, 9));
});

test.each<[ProviderKind, string]>([
  ['anthropic', 'claude-sonnet-4-20250514'],
  ['google', 'gemini-2.5-flash'],
])('%s has list prices', (kind, model) => {
  expect(priceOf(provider(kind), model, MILLION, AT)).toBeGreaterThan(0);
});

test('charges less for cached input and accepts more cached than input tokens', () => {
  const whole = priceOf(provider('openai'), 'gpt-4o', MILLION, AT) ?? 0;
  expect(priceOf(provider('openai'), 'gpt-4o', { ...MILLION, cached: 500_000 }, AT)).toBeLessThan(whole);
  expect(priceOf(provider('openai'), 'gpt-4o', { ...MILLION, cached: 9_000_000 }, AT)).toBeGreaterThan(0);
});
