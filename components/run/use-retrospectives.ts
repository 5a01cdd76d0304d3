import { useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { apiRefusal } from '#components/team/refusal-of.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { type RetrospectiveRecord, retrospectiveSchema } from '#lib/reflection/retrospective-record.ts';

const POLL_MS = 1_000;
const answerSchema = z.object({ items: z.array(retrospectiveSchema) });
const refusalSchema = z.object({ error: z.object({ message: z.string() }) });

/** The looks back over a run, read anew every second while one is being made; undefined until they were first read. */
export function useRetrospectives(runId: string): {
  retrospectives: RetrospectiveRecord[] | undefined;
  ask: () => Promise<Result<null>>;
} {
  const queryClient = useQueryClient();
  const queryKey = ['retrospectives', runId];
  const path = `/api/v1/runs/${encodeURIComponent(runId)}`;
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const response = await fetch(`${path}/retrospectives`, { signal, cache: 'no-store' });
      if (!response.ok) throw new Error(`The looks back could not be read (${response.status}).`);
      return answerSchema.parse(await response.json()).items;
    },
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'waiting') ? POLL_MS : false),
  });
  const ask = async (): Promise<Result<null>> => {
    try {
      const response = await fetch(`${path}/retrospective`, { method: 'POST' });
      await queryClient.invalidateQueries({ queryKey });
      if (response.ok) return succeed(null);
      const refusal = refusalSchema.safeParse(await response.json());
      return fail(
        'conflict',
        refusal.success ? apiRefusal(response.status, refusal.data.error.message) : 'Hone did not answer. Try again.',
      );
    } catch {
      return fail('unavailable', 'Hone did not answer. Try again.');
    }
  };
  return { retrospectives: data, ask };
}
