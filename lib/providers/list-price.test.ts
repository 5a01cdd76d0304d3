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
    'by kind',
    provider('openai'),
    'gpt-4o',
    { inputPerMillionUsd: 2.5, outputPerMillionUsd: 10, from: 'OpenAI', tiered: false },
  ],
  [
    'by address',
    provider('openai-compatible', 'https://api.groq.com/openai/v1'),
    'llama-3.3-70b-versatile',
    { inputPerMillionUsd: 0.59, outputPerMillionUsd: 0.79, from: 'Groq', tiered: false },
  ],
  [
    'in tiers, of which the lowest is told',
    provider('google'),
    'gemini-2.5-pro',
    { inputPerMillionUsd: 1.25, outputPerMillionUsd: 10, tiered: true },
  ],
  [
    'made up',
    provider('practice'),
    'practice-1',
    { inputPerMillionUsd: 0.5, outputPerMillionUsd: 1.5, from: 'practice', url: null },
  ],
  ['an unknown model', provider('openai'), 'no-such-model-at-all', null],
  ['a local server', provider('openai-compatible', 'http://127.0.0.1:11434/v1'), 'gpt-4o', null],
  [
    'a stranger that calls itself by a known name',
    provider('openai-compatible', 'https://example.org/api.groq.com/v1'),
    'llama-3.3-70b-versatile',
    null,
  ],
])('%s', (_name, configuration, model, expected) => {
  const found = listPrice(configuration, model, AT);
  if (expected === null) expect(found).toBeNull();
  else expect(found).toMatchObject(expected);
});
