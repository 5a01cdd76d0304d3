import { useQuery } from '@tanstack/react-query';
import { readApi } from '#components/api/call-api.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { RunLessons } from '#lib/runs/schema.ts';

/** The lessons of a run as the library has them; read anew when the run made or judged a version, or wrote a lesson. */
export function useRunLessons(record: RunRecord, initial: RunLessons): RunLessons {
  const { data } = useQuery({
    queryKey: ['run-lessons', record.id, stateOf(record)],
    queryFn: ({ signal }) => readApi('GET /api/v1/runs/{id}/lessons', { params: { id: record.id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (previous) => previous,
    retry: 1,
  });
  return data ?? initial;
}

function stateOf({ versions, lessons }: RunRecord): string {
  const evaluations = versions.reduce((sum, version) => sum + version.evaluations.length, 0);
  return `${versions.length} ${evaluations} ${lessons.length}`;
}
