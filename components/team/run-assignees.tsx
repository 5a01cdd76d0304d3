'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { usePerson } from '#components/access/role-provider.tsx';
import { callApi } from '#components/api/call-api.ts';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { Assignees } from './assignees.tsx';

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
    <Pane aria-labelledby="assignees-title" data-testid="run-assignees">
      <PaneHeader>
        <h2 id="assignees-title">Asked to look at it</h2>
        <span className="text-ink-3 text-sm">it stands under “For me” in their inbox while it waits</span>
      </PaneHeader>
      {data === undefined ? (
        <p className="animate-appear text-ink-2 text-sm">Reading who was asked</p>
      ) : data.ok ? (
        <Assignees
          subject={{ kind: 'run', id: runId }}
          assignments={data.value}
          onChanged={(value) => queryClient.setQueryData(queryKey, { ok: true, value })}
        />
      ) : (
        <p className="text-ink-2 text-sm">{data.problem.message}</p>
      )}
    </Pane>
  );
}
