'use client';

import { Square } from 'lucide-react';
import { useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { RefreshWhile } from '#components/layout/refresh-while.tsx';
import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { formatNumberOf } from '#lib/format.ts';
import type { StopAllState, UnfinishedCounts } from '#lib/runs/schema.ts';

type StopAllButtonProps = {
  counts: UnfinishedCounts;
  /** Null if no stop is in progress. */
  underWay: StopAllState | null;
};

/** Stops all runs after a confirmation with their number, and shows the progress. Hidden if no run is unfinished. */
export function StopAllButton({ counts, underWay }: StopAllButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const { isBusy, submitWithToast } = useSubmit('Hone did not respond. Check the list of runs.', {
    refreshes: 'always',
  });
  const { queued, running, waiting: paused } = counts;
  const going = queued + running;
  function send() {
    const done = ({ total }: StopAllState) => `Stopping ${formatNumberOf(total, 'run')}`;
    submitWithToast(submitApi('POST /api/v1/runs/stop-all', { body: { waiting } }), done, () => setOpen(false));
  }
  if (underWay !== null)
    return (
      <span className="text-ink-2 text-sm" role="status" data-testid="stopping-all">
        <RefreshWhile isUnderWay everyMs={1_000} />
        Stopping: {underWay.stopped} of {formatNumberOf(underWay.total, 'run')}
      </span>
    );
  if (going + paused === 0) return null;
  return (
    <>
      <RoleButton needs="editor" onClick={() => setOpen(true)}>
        <Square />
        Stop all
      </RoleButton>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title={going === 0 ? 'Stop waiting runs?' : `Stop ${formatNumberOf(going, 'run')}?`}
        description={`${running} in progress, ${queued} queued, of all experiments and members. Hone cancels current calls and keeps stored data. You can resume each run.`}
      >
        {paused === 0 ? null : (
          <div className="mb-4">
            <CheckboxField
              label={`Also the ${formatNumberOf(paused, 'run')} that ${paused === 1 ? 'waits' : 'wait'} for a reviewer`}
              checked={waiting}
              onChange={({ target }) => setWaiting(target.checked)}
            />
          </div>
        )}
        <DialogFoot
          action={`Stop ${formatNumberOf(going + (waiting ? paused : 0), 'run')}`}
          busy="Stopping"
          isBusy={isBusy}
          isReady={going > 0 || waiting}
          onAction={send}
          onCancel={() => setOpen(false)}
        />
      </Dialog>
    </>
  );
}
