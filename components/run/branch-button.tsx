'use client';

import { GitBranch } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { MayButton } from '#components/access/may-button.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { RunActions } from './run-actions.ts';
import { unreachable } from './use-run-decisions.ts';

type BranchButtonProps = { version: number; branch: RunActions['branch'] };

/** Begins a new run with the text of a version, and opens it. Before that it says what this costs. */
export function BranchButton({ version, branch }: BranchButtonProps) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  async function start() {
    setBusy(true);
    setProblem(null);
    const result = await branch(version).catch(unreachable);
    setBusy(false);
    if (!result.ok) return setProblem(result.problem.message);
    setOpen(false);
    router.push(`/runs/${result.value.runId}`);
  }
  return (
    <>
      <MayButton needs="editor" onClick={() => setOpen(true)}>
        <GitBranch className="size-3.25" aria-hidden />
        Branch v{version}
      </MayButton>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Branch from v${version}`}
        description={`A new run of the same case begins with the text of v${version}, in the settings that the experiment has now. This run stays as it is.`}
      >
        <div className="flex flex-col gap-3">
          <p>
            It costs what a run costs: the text is there already, but each judgement, critique and revision is paid, as
            far as the settings let it go.
          </p>
          {problem === null ? null : (
            <Notice tone="worse" alert title="No run was started.">
              {problem}
            </Notice>
          )}
          <div className="flex items-center gap-2">
            <Button variant="primary" onClick={start} disabled={isBusy}>
              {isBusy ? 'Starting' : 'Start the branch'}
            </Button>
            <Button variant="ghost" onClick={() => setOpen(false)}>
              Cancel
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}
