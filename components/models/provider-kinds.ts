/** The kinds of providers one can add, in the words of the form. */
export const PROVIDER_KINDS = [
  { value: 'openai', label: 'OpenAI', needsAddress: false },
  { value: 'anthropic', label: 'Anthropic', needsAddress: false },
  { value: 'google', label: 'Google', needsAddress: false },
  { value: 'openai-compatible', label: 'Any OpenAI-compatible server', needsAddress: true },
] as const;

export type ProviderKind = (typeof PROVIDER_KINDS)[number]['value'];

/** What came of asking a provider for its models. */
export type TestOutcome =
  | { ok: true; message: string; models: string[]; latencyMs: number }
  | { ok: false; message: string; remedy: string; latencyMs: number };
