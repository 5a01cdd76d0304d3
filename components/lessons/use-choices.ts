import { useQuery } from '@tanstack/react-query';
import { type ApiAnswer, callApi } from '#components/api/call-api.ts';

type ExperimentChoice = ApiAnswer<'GET /api/v1/experiments'>['items'][number];
type DatasetChoice = ApiAnswer<'GET /api/v1/datasets'>['items'][number];

/** Returns the newest experiments to choose from. Empty until loaded, or while `isWanted` is false. */
export function useExperimentChoices(isWanted: boolean): ExperimentChoice[] {
  const { data } = useQuery({
    queryKey: ['experiment-choices'],
    enabled: isWanted,
    queryFn: async () => {
      const read = await callApi('GET /api/v1/experiments', { query: { limit: 100 } });
      return read.ok ? read.value.items : [];
    },
  });
  return data ?? [];
}

/** Returns the newest datasets to choose from. */
export function useDatasetChoices(isWanted: boolean): DatasetChoice[] {
  const { data } = useQuery({
    queryKey: ['dataset-choices'],
    enabled: isWanted,
    queryFn: async () => {
      const read = await callApi('GET /api/v1/datasets', { query: { limit: 100 } });
      return read.ok ? read.value.items : [];
    },
  });
  return data ?? [];
}
