import { useQuery } from '@tanstack/react-query';
import { type ApiAnswer, callApi } from '#components/api/call-api.ts';
import type { Result } from '#lib/core/problem.ts';

type ExperimentChoice = ApiAnswer<'GET /api/v1/experiments'>['items'][number];
type DatasetChoice = ApiAnswer<'GET /api/v1/datasets'>['items'][number];

/** `error`: why they could not be loaded, or null. */
type Choices<Item> = { choices: Item[]; error: string | null };

/** Returns the newest experiments to choose from. Empty until loaded, or while `isWanted` is false. */
export function useExperimentChoices(isWanted: boolean): Choices<ExperimentChoice> {
  const { data } = useQuery({
    queryKey: ['experiment-choices'],
    enabled: isWanted,
    queryFn: () => callApi('GET /api/v1/experiments', { query: { limit: 100 } }),
  });
  return toChoices(data);
}

/** Returns the newest datasets to choose from. */
export function useDatasetChoices(isWanted: boolean): Choices<DatasetChoice> {
  const { data } = useQuery({
    queryKey: ['dataset-choices'],
    enabled: isWanted,
    queryFn: () => callApi('GET /api/v1/datasets', { query: { limit: 100 } }),
  });
  return toChoices(data);
}

function toChoices<Item>(read: Result<{ items: Item[] }> | undefined): Choices<Item> {
  if (read === undefined) return { choices: [], error: null };
  return read.ok ? { choices: read.value.items, error: null } : { choices: [], error: read.problem.message };
}
