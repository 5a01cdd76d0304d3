import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { askApi } from './ask-api.ts';

const experiments = z.object({ items: z.array(z.object({ id: z.string(), name: z.string(), runCount: z.int() })) });
const datasets = z.object({ items: z.array(z.object({ id: z.string(), name: z.string(), caseCount: z.int() })) });

export type ExperimentChoice = z.infer<typeof experiments>['items'][number];
export type DatasetChoice = z.infer<typeof datasets>['items'][number];

/** The newest experiments, to choose from; none until they were read, or while `isWanted` is false. */
export function useExperimentChoices(isWanted: boolean): ExperimentChoice[] {
  const { data } = useQuery({
    queryKey: ['experiment-choices'],
    enabled: isWanted,
    queryFn: async () => {
      const read = await askApi('/experiments?limit=100', experiments);
      return read.ok ? read.value.items : [];
    },
  });
  return data ?? [];
}

/** The newest datasets, to choose from. */
export function useDatasetChoices(isWanted: boolean): DatasetChoice[] {
  const { data } = useQuery({
    queryKey: ['dataset-choices'],
    enabled: isWanted,
    queryFn: async () => {
      const read = await askApi('/datasets?limit=100', datasets);
      return read.ok ? read.value.items : [];
    },
  });
  return data ?? [];
}
