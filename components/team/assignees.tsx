'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { UserPlus, X } from 'lucide-react';
import { useState } from 'react';
import { usePerson, useRoleAccess } from '#components/access/role-provider.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { callApi } from '#components/api/call-api.ts';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Select } from '#components/ui/field.tsx';
import { useExactTime } from '#components/ui/local-time.tsx';
import { Options } from '#components/ui/options.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { Assignments } from '#lib/assignments/queries.ts';

type AssigneesProps = {
  subject: { kind: 'run' | 'lesson'; id: string };
  assignments: Assignments;
  onChanged: (assignments: Assignments) => void;
};

/** Shows the people assigned to review a run or a lesson. Reviewers can add and remove assignees. */
export function Assignees({ subject: { kind, id }, assignments: { assignees, choices }, onChanged }: AssigneesProps) {
  const exactTime = useExactTime();
  const toast = useToast();
  const { may, why } = useRoleAccess('reviewer');
  const [chosen, setChosen] = useState('');
  const { isBusy, settle } = useSubmit(undefined, { refreshes: false });
  function send(change: { ask: string } | { leave: string }) {
    const changed =
      'ask' in change
        ? callApi(`POST /api/v1/${kind}s/{id}/assignments`, { params: { id }, body: { memberId: change.ask } })
        : callApi(`DELETE /api/v1/${kind}s/{id}/assignments/{memberId}`, { params: { id, memberId: change.leave } });
    settle(changed, (result) => {
      if (!result.ok) return toast(result.problem.message, 'problem');
      setChosen('');
      onChanged(result.value);
    });
  }
  return (
    <div className="flex flex-wrap items-center gap-2" data-testid="assignees">
      {assignees.length === 0 ? <span className="text-ink-2 text-sm">No reviewers assigned</span> : null}
      {assignees.map((assignee) => (
        <span
          key={assignee.memberId}
          className="flex min-w-0 items-center gap-1"
          title={`assigned by ${assignee.assignedBy}, ${exactTime(assignee.createdAt)}`}
        >
          <b className="wrap-anywhere font-medium">{assignee.isMine ? 'You' : assignee.name}</b>
          {may ? (
            <IconButton
              icon={X}
              label={assignee.isMine ? 'Remove me' : `Remove ${assignee.name}`}
              disabled={isBusy}
              onClick={() => send({ leave: assignee.memberId })}
            />
          ) : null}
        </span>
      ))}
      {choices.length === 0 ? null : (
        <span className="flex min-w-0 items-center gap-2" title={why}>
          <Select
            size="small"
            className="min-w-0 max-w-56"
            aria-label="Reviewer"
            value={chosen}
            disabled={!may || isBusy}
            onValue={setChosen}
          >
            <option value="">Choose a member</option>
            <Options of={choices.map(({ memberId, name }) => [memberId, name])} />
          </Select>
          <Button size="small" disabled={!may || isBusy || chosen === ''} onClick={() => send({ ask: chosen })}>
            <UserPlus />
            Assign
          </Button>
        </span>
      )}
    </div>
  );
}

/** Assignees of a run, shown on its page. Hidden in local mode, which has one person. */
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
      <PaneHeader
        titleId="assignees-title"
        title="Assigned reviewers"
        note="Waiting runs appear under “For me” in their inbox."
      />
      {data === undefined ? (
        <p className="animate-appear text-ink-2 text-sm">Loading reviewers</p>
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
