import type { Result } from '#lib/core/problem.ts';
import type { ProviderUse } from '#lib/models/queries.ts';
import type { KeyState } from '#lib/models/stored-key-state.ts';
import type { ProviderKind, ProviderOptions } from '#lib/providers/provider-kinds.ts';
import type { ProviderTest } from '#lib/providers/provider-test.ts';
import type { RefusedParameter } from '#lib/providers/refused-parameter-record.ts';

/** The test of a provider, and when it was. */
export type KeptTest = ProviderTest & { at: string };

/** A provider as the page shows it; its key is never among it. */
export type ShownProvider = {
  name: string;
  kind: ProviderKind;
  baseUrl: string | null;
  hasKey: boolean;
  keyLastFour: string | null;
  source: 'built_in' | 'environment' | 'stored';
  maxConcurrency: number | null;
  maxRequestsPerMinute: number | null;
  toolsBy: 'native' | 'prompt' | null;
  timeoutSeconds: number | null;
  options: ProviderOptions;
  headers: { name: string; lastFour: string | null }[];
  /** Parameters that its models refused and that are no longer sent. */
  refused: RefusedParameter[];
  keyState: KeyState | null;
  test: KeptTest | null;
  use: ProviderUse;
};

/** What the page can do with providers; a test with a model really asks it. */
export type ProviderActions = {
  add: (input: unknown) => Promise<Result<unknown>>;
  change: (name: string, input: unknown) => Promise<Result<unknown>>;
  remove: (name: string) => Promise<Result<unknown>>;
  resume: (batchId: string) => Promise<Result<unknown>>;
  test: (name: string, model: string | null, temperature?: unknown) => Promise<Result<KeptTest>>;
};

/** A server of models on this machine; `addedAs` is the provider that stands for it already. */
export type ShownServer = {
  name: string;
  label: string;
  baseUrl: string;
  state: 'found' | 'needs_key' | 'other' | 'nothing';
  models: string[];
  addedAs: string | null;
};
