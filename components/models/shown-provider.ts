import type { Result } from '#lib/core/problem.ts';
import type { ProviderView } from '#lib/models/list-providers.ts';
import type { ProviderTest } from '#lib/providers/provider-test.ts';

/** Test of a provider with its time. */
export type KeptTest = ProviderTest & { at: string };

/** Provider as shown on the page, without its key. */
export type ShownProvider = Omit<ProviderView, 'prices' | 'usedByExperiments'>;

/** Actions on providers. A test with a model makes a real call. */
export type ProviderActions = {
  add: (input: unknown) => Promise<Result<unknown>>;
  change: (name: string, input: unknown) => Promise<Result<unknown>>;
  remove: (name: string) => Promise<Result<unknown>>;
  resume: (batchId: string) => Promise<Result<unknown>>;
  test: (name: string, model: string | null, temperature?: unknown) => Promise<Result<KeptTest>>;
};

/** Returns the name, with a number appended if it is taken: `ollama`, `ollama-2`. */
export function freeName(name: string, usedNames: readonly string[]): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!usedNames.includes(candidate)) return candidate;
  }
}
