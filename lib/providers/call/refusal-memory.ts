import type { RefusableParameter } from '#lib/providers/refused-parameter-record.ts';
import type { ProviderConfiguration } from '../provider-configuration.ts';

/** A parameter that a model was just found to refuse, and what its provider said. */
export type NewRefusal = { parameter: RefusableParameter; message: string };

/** Keeps what a provider's model refuses, so that the provider's configuration tells it from then on. */
export type RememberRefused = (
  configuration: ProviderConfiguration,
  model: string,
  refusals: readonly NewRefusal[],
) => Promise<void>;

/**
 * The parameters that models refuse: those that the provider's configuration tells, and, where nothing keeps what is found out, those that
 * were found out at the same address while the memory lives.
 */
export function refusalMemory(rememberRefused?: RememberRefused) {
  const found = new Map<string, Set<RefusableParameter>>();
  const nameOf = ({ name, kind, baseUrl }: ProviderConfiguration, model: string) =>
    JSON.stringify([name, kind, baseUrl, model]);
  return {
    of: (configuration: ProviderConfiguration, model: string): Set<RefusableParameter> => {
      const told = (configuration.refused ?? []).filter((refused) => refused.model === model);
      return new Set([...told.map(({ parameter }) => parameter), ...(found.get(nameOf(configuration, model)) ?? [])]);
    },
    remember: async (configuration: ProviderConfiguration, model: string, refusals: readonly NewRefusal[]) => {
      if (rememberRefused !== undefined) return rememberRefused(configuration, model, refusals);
      const name = nameOf(configuration, model);
      const parameters = refusals.map(({ parameter }) => parameter);
      found.set(name, new Set([...(found.get(name) ?? []), ...parameters]));
    },
  };
}
