import { expect, test } from 'vitest';
import { listPrice } from './list-price.ts';
import type { ProviderConfiguration } from './provider-configuration.ts';
import type { ProviderKind } from './provider-kinds.ts';

const AT = new Date('2026-05-04T10:00:00Z');
const provider = (kind: ProviderKind, baseUrl: string | null = null): ProviderConfiguration => ({
  name: 'p',
  kind,
  baseUrl,
  apiKey: null,
  // Prices set by a person are not list prices.
  prices: { 'gpt-4o': { inputPerMillionUsd: 99, outputPerMillionUsd: 99 } },
});

test.each<[string, ProviderConfiguration, string, object | null]>([
  [
    'by provider kind',
    provider('openai'),
    'gpt-4o',
    { inputPerMillionUsd: 2.5, outputPerMillionUsd: 10, from: 'OpenAI', tiered: false },
  ],
  [
    'by base URL',
    provider('openai-compatible', 'https://api.groq.com/openai/v1'),
    'llama-3.3-70b-versatile',
    { inputPerMillionUsd: 0.59, outputPerMillionUsd: 0.79, from: 'Groq', tiered: false },
  ],
  [
    'the lowest of several tiers',
    provider('google'),
    'gemini-2.5-pro',
    { inputPerMillionUsd: 1.25, outputPerMillionUsd: 10, tiered: true },
  ],
  [
    'a fictional model',
    provider('practice'),
    'practice-1',
    { inputPerMillionUsd: 0.5, outputPerMillionUsd: 1.5, from: 'practice', url: null },
  ],
  ['an unknown model', provider('openai'), 'no-such-model-at-all', null],
  ['a local server', provider('openai-compatible', 'http://127.0.0.1:11434/v1'), 'gpt-4o', null],
  [
    'another server with a known model name',
    provider('openai-compatible', 'https://example.org/api.groq.com/v1'),
    'llama-3.3-70b-versatile',
    null,
  ],
])('%s', (_name, configuration, model, expected) => {
  const found = listPrice(configuration, model, AT);
  if (expected === null) expect(found).toBeNull();
  else expect(found).toMatchObject(expected);
});
