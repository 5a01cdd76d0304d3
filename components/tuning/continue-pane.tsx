'use client';

import { GitBranch, GitMerge, Pencil } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import type { RunActions } from '#components/run/run-actions.ts';
import { comparedWith } from '#components/run/run-versions.ts';
import { chosenChanges, type RunPageState } from '#components/run/use-run-page-state.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { Field, Textarea } from '#components/ui/field.tsx';
import { Pane } from '#components/ui/pane.tsx';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import { formatNumberOf } from '#lib/format.ts';
import { MAX_OUTPUT_LENGTH } from '#lib/runs/run-facts.ts';

type ContinuePaneProps = {
  record: RunRecord;
  version: VersionRecord;
  state: RunPageState;
  branch: RunActions['branch'];
  /** True if a run can start from the unchanged prompt. */
  canBranch: boolean;
  /** True if the run has ended. Before that, an edit or a merge answers a pause. */
  canEdit: boolean;
};

/** The first prompt of a new run and its origin. */
type Start = { kind: 'branch' | 'edit' | 'merge'; text: string };

/** Starts a new run from the selected candidate, from an edit of it, or from a merge of its changes into another candidate. */
export function ContinuePane({ record, version, state, branch, canBranch, canEdit }: ContinuePaneProps) {
  const [start, setStart] = useState<Start | null>(null);
  const { number, output } = version;
  const { against } = comparedWith(record, version, state.against);
  const chosen = canEdit ? chosenChanges(record, version, state) : null;
  const isMerging = canEdit && state.view === 'diff' && against !== undefined;
  return (
    <Pane className="max-medium:order-3" aria-label={`Continue from v${number}`} data-testid="continue">
      <div className="flex flex-wrap items-center gap-2">
        {canBranch ? (
          <RoleButton needs="editor" onClick={() => setStart({ kind: 'branch', text: output })}>
            <GitBranch />
            Branch v{number}
          </RoleButton>
        ) : null}
        {canEdit ? (
          <RoleButton needs="editor" onClick={() => setStart({ kind: 'edit', text: output })}>
            <Pencil />
            Edit v{number}
          </RoleButton>
        ) : null}
        {canEdit && against !== undefined ? (
          isMerging ? (
            <RoleButton
              needs="editor"
              disabled={chosen === null}
              onClick={() => chosen && setStart({ kind: 'merge', text: chosen.output })}
            >
              <GitMerge />
              {chosen === null ? 'Merge changes' : `Merge ${formatNumberOf(chosen.count, 'change')}`}
            </RoleButton>
          ) : (
            <RoleButton needs="editor" onClick={() => state.setView('diff')}>
              <GitMerge />
              Merge v{number} by hand
            </RoleButton>
          )
        ) : null}
      </div>
      {isMerging ? (
        <p className="mt-2 text-ink-2 text-sm">
          {chosen === null
            ? `To merge v${number} into v${against.number}, choose the other candidate above, and choose Leave for the changes you do not want.`
            : `Chosen: ${chosen.label}, on top of v${against.number}.`}
        </p>
      ) : null}
      {start === null ? null : (
        <StartDialog key={number} version={number} start={start} branch={branch} onClose={() => setStart(null)} />
      )}
    </Pane>
  );
}

const TITLES: Record<Start['kind'], (version: number) => string> = {
  branch: (version) => `Branch from v${version}`,
  edit: (version) => `Edit v${version}`,
  merge: (version) => `Merge v${version} by hand`,
};

type StartDialogProps = { version: number; start: Start; branch: RunActions['branch']; onClose: () => void };

/** Starts a tuning run from the text and opens it. The cost is shown first. */
export function StartDialog({ version, start, branch, onClose }: StartDialogProps) {
  const router = useRouter();
  const [text, setText] = useState(start.text);
  const { isBusy, problem, errorAt, submit } = useSubmit(
    'Hone did not respond. Check that it is running, then try again.',
  );
  const isText = problem?.field === 'output';
  function send() {
    submit(branch(version, start.kind === 'branch' ? undefined : text), ({ runId }) => {
      onClose();
      router.push(`/runs/${runId}`);
    });
  }
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title={TITLES[start.kind](version)}
      description="A new tuning run starts from this prompt, with the same cases and split and the current settings of the experiment. This run does not change."
    >
      <div className="flex flex-col gap-3">
        {start.kind === 'branch' ? null : (
          <Field label="First prompt of the new run" error={errorAt('output')}>
            <Textarea
              data-autofocus
              rows={12}
              maxLength={MAX_OUTPUT_LENGTH}
              className="font-mono text-sm"
              value={text}
              onValue={setText}
            />
          </Field>
        )}
        <p>Saved responses to the same prompt and case are not billed again. New calls are billed as usual.</p>
        <DialogFoot
          action="Start run"
          busy="Starting"
          isBusy={isBusy}
          isReady={text.trim() !== ''}
          onAction={send}
          onCancel={onClose}
          problem={problem === null || isText ? null : { title: 'Could not start the run', message: problem.message }}
        />
      </div>
    </Dialog>
  );
}
