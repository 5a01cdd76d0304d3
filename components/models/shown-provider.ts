import type { Result } from '#lib/core/problem.ts';
import type { KeyState } from '#lib/models/provider-state.ts';
import type { ProviderUse } from '#lib/models/queries.ts';
import type { ProviderKind, ProviderOptions } from '#lib/providers/provider-kinds.ts';
import type { ProviderTest } from '#lib/providers/provider-test.ts';
import type { RefusedParameter } from '#lib/providers/refused-parameter-record.ts';

/** Test of a provider with its time. */
export type KeptTest = ProviderTest & { at: string };

/** Provider as shown on the page, without its key. */
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

/** Actions on providers. A test with a model makes a real call. */
export type ProviderActions = {
  add: (input: unknown) => Promise<Result<unknown>>;
  change: (name: string, input: unknown) => Promise<Result<unknown>>;
  remove: (name: string) => Promise<Result<unknown>>;
  resume: (batchId: string) => Promise<Result<unknown>>;
  test: (name: string, model: string | null, temperature?: unknown) => Promise<Result<KeptTest>>;
};

/** Model server on this machine. `addedAs`: name of the provider that already uses it. */
export type ShownServer = {
  name: string;
  label: string;
  baseUrl: string;
  state: 'found' | 'needs_key' | 'other' | 'nothing';
  models: string[];
  addedAs: string | null;
};

/** Returns the name, with a number appended if it is taken: `ollama`, `ollama-2`. */
export function freeName(name: string, usedNames: readonly string[]): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!usedNames.includes(candidate)) return candidate;
  }
}
