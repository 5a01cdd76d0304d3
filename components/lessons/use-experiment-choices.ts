import { useQuery } from '@tanstack/react-query';
import { callApi } from '#components/api/call-api.ts';
import type { Result } from '#lib/core/problem.ts';

/** Returns the newest experiments to choose from. Empty until loaded, or while `isWanted` is false. */
export function useExperimentChoices(isWanted: boolean) {
  return useChoices('experiments', isWanted, () => callApi('GET /api/v1/experiments', { query: { limit: 100 } }));
}

/** Returns the newest datasets to choose from. */
export function useDatasetChoices(isWanted: boolean) {
  return useChoices('datasets', isWanted, () => callApi('GET /api/v1/datasets', { query: { limit: 100 } }));
}

/** `error`: why they could not be loaded, or null. */
function useChoices<Item>(kind: string, isWanted: boolean, read: () => Promise<Result<{ items: Item[] }>>) {
  const { data } = useQuery({ queryKey: ['choices', kind], enabled: isWanted, queryFn: read });
  return { choices: data?.ok ? data.value.items : [], error: data?.ok === false ? data.problem.message : null };
}
