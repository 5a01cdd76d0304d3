'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from '#components/api/call-api.ts';
import { Assignees } from './assignees.tsx';
import { usePerson } from './role-provider.tsx';

/** Who was asked to look at a run, as part of its page. Nothing in local mode, which has one person. */
export function RunAssignees({ runId }: { runId: string }) {
  const { isLocal } = usePerson();
  const queryClient = useQueryClient();
  const queryKey = ['run-assignments', runId];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi('GET /api/v1/runs/{id}/assignments', { params: { id: runId }, signal }),
    enabled: !isLocal,
  });
  if (isLocal) return null;
  return (
    <section className="pane" aria-labelledby="assignees-title" data-testid="run-assignees">
      <div className="ph">
        <h2 id="assignees-title">Asked to look at it</h2>
        <span className="note">it stands under “For me” in their inbox while it waits</span>
      </div>
      {data === undefined ? (
        <p className="sm muted late">Reading who was asked</p>
      ) : data.ok ? (
        <Assignees
          subject={{ kind: 'run', id: runId }}
          assignments={data.value}
          onChanged={(value) => queryClient.setQueryData(queryKey, { ok: true, value })}
        />
      ) : (
        <p className="sm muted">{data.problem.message}</p>
      )}
    </section>
  );
}
