'use client';

import { useQuery } from '@tanstack/react-query';
import { Bookmark, Undo2, X } from 'lucide-react';
import { useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { problemAt } from '#components/access/to-action-failure.ts';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { TimeAgo } from '#components/ui/local-time.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Options } from '#components/ui/options.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import type { Problem, Result } from '#lib/core/problem.ts';
import { isGuarded, labelEvaluationLabel } from '#lib/prompts/evaluation-schema.ts';
import { LABEL_RULE, USUAL_LABELS } from '#lib/prompts/prompt.ts';
import type {
  LabelEvaluation,
  MovedLabel,
  PromptDetail,
  PromptLabel,
  PromptLabelMove,
  PromptVersion,
} from '#lib/prompts/schema.ts';

type LabelsProps = {
  prompt: Pick<PromptDetail, 'name' | 'versions' | 'labels' | 'moves' | 'latestVersion'>;
  actions: LabelActions;
  /** Version to label. Null: the newest. */
  version: number | null;
};

type PromptLabelsProps = LabelsProps & { open: boolean; onOpenChange: (open: boolean) => void };

/** Dialog for the labels of a prompt: move, remove, roll back, and the history of moves. */
export function PromptLabels({ open, onOpenChange, ...props }: PromptLabelsProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      isWide
      title={`Labels of ${props.prompt.name}`}
      description="Programs request a prompt by label. Every move is saved in the history."
    >
      <Labels {...props} />
    </Dialog>
  );
}

function Labels({ prompt, actions, version }: LabelsProps) {
  const { name, versions, labels, moves, latestVersion } = prompt;
  const [problem, setProblem] = useState<Problem | null>(null);
  const mover = useLabelMoves(name, actions);
  const { isBusy } = mover;
  const send = (work: Promise<Result<MovedLabel>>) => {
    setProblem(null);
    mover.send(work, setProblem);
  };
  const takeOff = (label: string) =>
    send(submitApi('DELETE /api/v1/prompts/{name}/labels/{label}', { params: { name, label } }));
  const lastMove = (label: string) => moves.find((move) => move.label === label);
  // A removed default label can still be rolled back to its last version.
  const off = [...new Set(moves.map(({ label }) => label))].filter(
    (label) => USUAL_LABELS.includes(label) && !labels.some((one) => one.label === label),
  );
  return (
    <div className="flex flex-col gap-5">
      <ul data-testid="labels">
        {labels.map((label) => (
          <CurrentLabel
            key={label.label}
            label={label}
            last={lastMove(label.label) ?? null}
            isBusy={isBusy}
            onTakeOff={() => takeOff(label.label)}
            onRollBack={(move) => send(actions.rollBack(name, label.label, { move }))}
          />
        ))}
        {off.map((label) => {
          const last = lastMove(label);
          return last === undefined || last.previous === null ? null : (
            <li key={label} className="flex flex-wrap items-center gap-2 border-line border-b py-2">
              <span className="text-ink-2">{label} is removed</span>
              <RoleButton
                needs="editor"
                size="small"
                className="ml-auto"
                disabled={isBusy}
                onClick={() => send(actions.rollBack(name, label, { move: last.id }))}
              >
                <Undo2 />
                Restore {label} to v{last.previous}
              </RoleButton>
            </li>
          );
        })}
        {labels.length === 0 ? <li className="text-ink-2">No labels yet.</li> : null}
      </ul>
      {problem === null ? null : <Notice tone="worse" alert title={problem.message} />}
      <MovedNotice moved={mover.done} isBusy={isBusy} onUndo={() => mover.undo(setProblem)} />
      <section>
        <h3 className="mb-2">Move a label</h3>
        <MoveLabelForm
          name={name}
          versions={versions}
          labels={labels}
          version={version ?? latestVersion}
          actions={actions}
          mover={mover}
          onMoved={() => setProblem(null)}
        />
      </section>
      <section>
        <h3 className="mb-1">History</h3>
        <LabelMoves moves={moves} />
      </section>
    </div>
  );
}

type CurrentLabelProps = {
  label: PromptLabel;
  last: PromptLabelMove | null;
  isBusy: boolean;
  onTakeOff: () => void;
  onRollBack: (move: number) => void;
};

function CurrentLabel({ label, last, isBusy, onTakeOff, onRollBack }: CurrentLabelProps) {
  return (
    <li className="flex flex-wrap items-center gap-2 border-line border-b py-2">
      <Bookmark />
      <b className="wrap-anywhere">{label.label}</b>
      <b className="whitespace-nowrap text-right">v{label.version}</b>
      <span className="text-ink-2 text-sm">
        {label.movedBy}, <TimeAgo moment={label.movedAt} />
      </span>
      <span className="ml-auto flex flex-wrap items-center gap-1">
        {last === null || last.previous === null ? null : (
          <RoleButton needs="editor" size="small" disabled={isBusy} onClick={() => onRollBack(last.id)}>
            <Undo2 />
            <span>
              Roll back <span className="sr-only">{label.label} </span>to v{last.previous}
            </span>
          </RoleButton>
        )}
        <RoleButton needs="editor" size="small" variant="ghost" disabled={isBusy} onClick={onTakeOff}>
          <X />
          <span>
            Remove<span className="sr-only"> {label.label}</span>
          </span>
        </RoleButton>
      </span>
    </li>
  );
}

function LabelMoves({ moves }: { moves: readonly PromptLabelMove[] }) {
  if (moves.length === 0) return <p className="text-ink-2">No moves yet.</p>;
  return (
    <ol data-testid="label-moves">
      {moves.map((move) => (
        <li key={move.id} className="border-line border-b py-1.5">
          <p className="wrap-anywhere">
            <b className="font-medium">{move.label}</b> {moveText(move)}
            {move.reason === null ? '' : `: ${move.reason}`}
          </p>
          <p className="text-ink-2 text-sm">
            {move.movedBy}, <TimeAgo moment={move.movedAt} />
          </p>
        </li>
      ))}
    </ol>
  );
}

function moveText({ version, previous }: PromptLabelMove): string {
  if (version === null) return `removed from v${previous}`;
  return previous === null ? `added to v${version}` : `moved from v${previous} to v${version}`;
}

/** Shows the result of a label move, with undo. Always rendered, so that screen readers announce changes. */
function MovedNotice({ moved, isBusy, onUndo }: { moved: MovedLabel | null; isBusy: boolean; onUndo: () => void }) {
  return (
    <div role="status" data-testid="moved-label">
      {moved === null ? null : (
        <Notice
          title={movedLabel(moved)}
          actions={
            moved.move === null ? null : (
              <RoleButton needs="editor" size="small" disabled={isBusy} onClick={onUndo}>
                <Undo2 />
                Undo
              </RoleButton>
            )
          }
        >
          {moved.proof?.verdict === 'unproven' ? moved.proof.words : null}
        </Notice>
      )}
    </div>
  );
}

function movedLabel({ label, version, moved }: MovedLabel): string {
  if (version === null) return `${label} is removed.`;
  return moved ? `${label} is now on v${version}.` : `${label} is already on v${version}.`;
}

type MoveLabelFormProps = {
  name: string;
  versions: readonly PromptVersion[];
  labels: readonly PromptLabel[];
  /** Version selected by default. */
  version: number;
  actions: LabelActions;
  mover: LabelMover;
  onMoved: () => void;
};

const OWN = ' own';
const FIELDS = ['label', 'version', 'reason'];

/** Moves a label to a version. For production it first shows the held-out evaluation, and requires a reason if that is negative. */
function MoveLabelForm({ name, versions, labels, version: first, actions, mover, onMoved }: MoveLabelFormProps) {
  const offered = [...new Set([...USUAL_LABELS, ...labels.map(({ label }) => label)])];
  const [choice, setChoice] = useState(offered[0] ?? OWN);
  const [own, setOwn] = useState('');
  const [version, setVersion] = useState(first);
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const { isBusy, send } = mover;
  const label = choice === OWN ? own.trim() : choice;
  const from = labels.find((one) => one.label === label)?.version ?? null;
  const against = isGuarded(label) ? from : null;
  const { evaluation, isLoading } = useLabelEvaluation(name, version, against, actions.evaluate);
  const isThere = from === version;
  const isLosing = evaluation?.verdict === 'loses';

  function submit() {
    // The path of a URL cannot contain an empty label or one of dots only.
    if (/^\.*$/.test(label)) return setProblem({ code: 'invalid', message: LABEL_RULE, field: 'label' });
    setProblem(null);
    const request = { params: { name, label }, body: { version, reason, from } };
    send(submitApi('PUT /api/v1/prompts/{name}/labels/{label}', request), setProblem, () => {
      setReason('');
      onMoved();
    });
  }

  const errorAt = (field: string) => problemAt(problem, field);
  return (
    <SubmitForm className="flex flex-col gap-3" onSubmit={submit}>
      <div className="flex flex-wrap items-start gap-2">
        <Field label="Label" error={choice === OWN ? null : errorAt('label')} className="flex-[1_1_9rem]">
          <Select value={choice} onValue={setChoice}>
            <Options of={offered} />
            <option value={OWN}>custom label</option>
          </Select>
        </Field>
        {choice === OWN ? (
          <Field label="Label name" error={errorAt('label')} className="flex-[1_1_9rem]">
            <Input value={own} maxLength={40} onValue={setOwn} />
          </Field>
        ) : null}
        <Field label="Version" error={errorAt('version')} className="flex-[2_1_12rem]">
          <Select value={version} onValue={(value) => setVersion(Number(value))}>
            <Options of={versions.map(({ number, message }) => [number, `v${number} ${message.slice(0, 60)}`])} />
          </Select>
        </Field>
      </div>
      <p className="text-ink-2 text-sm" role="status">
        {positionLabel(label, from, version)}
        {isLoading ? ' Loading the result on held-out cases.' : ''}
      </p>
      {evaluation === null ? null : (
        <Notice tone={isLosing ? 'worse' : 'default'} title={labelEvaluationLabel(evaluation)}>
          {isLosing ? 'Enter a reason to move the label anyway.' : null}
        </Notice>
      )}
      <Field
        label="Reason"
        help={isLosing ? 'Required. Saved with the move.' : 'Optional. Saved with the move.'}
        error={errorAt('reason')}
      >
        <Input value={reason} maxLength={500} onValue={setReason} />
      </Field>
      {problem !== null && !FIELDS.includes(problem.field ?? '') ? (
        <Notice tone="worse" alert title={problem.message} />
      ) : null}
      <div>
        <Button type="submit" variant="primary" disabled={isBusy || isThere}>
          {isBusy ? 'Moving' : `${from === null ? 'Add' : 'Move'} to v${version}`}
        </Button>
      </div>
    </SubmitForm>
  );
}

function positionLabel(label: string, from: number | null, version: number): string {
  if (label === '') return '';
  if (from === null) return `${label} is not on a version yet.`;
  return `${label} is on v${from}.${from === version ? ' Choose another version.' : ''}`;
}

/** Loads the held-out evaluation of a version against another one. Null if there is nothing to compare with, or on errors. */
function useLabelEvaluation(name: string, version: number, against: number | null, evaluate: LabelActions['evaluate']) {
  const { data, isFetching } = useQuery({
    queryKey: ['label-evaluation', name, version, against],
    enabled: against !== null && against !== version,
    // The server checks the move again and reports errors.
    queryFn: async () => {
      const result = await evaluate(name, { version, against });
      return result.ok ? result.value : null;
    },
    gcTime: 0,
    retry: false,
  });
  return { evaluation: isFetching ? null : (data ?? null), isLoading: isFetching };
}

type LabelMover = ReturnType<typeof useLabelMoves>;

/** Sends label moves of a prompt one at a time, and keeps the last one for undo. */
function useLabelMoves(name: string, actions: LabelActions) {
  const [done, setDone] = useState<MovedLabel | null>(null);
  const { isBusy, settle, report } = useSubmit('Hone did not respond. Nothing was moved.');
  function send(
    work: Promise<Result<MovedLabel>>,
    onProblem: (problem: Problem) => void,
    onMoved: () => void = () => {},
  ) {
    void settle(work, (result) => {
      if (!result.ok) return report(result.problem, onProblem);
      setDone(result.value);
      onMoved();
    });
  }
  return {
    isBusy,
    /** Last move. Null if there is none or it was undone. */
    done,
    send,
    undo: (onProblem: (problem: Problem) => void) => {
      if (done === null || done.move === null) return;
      const { label, move } = done;
      send(actions.rollBack(name, label, { move, reason: 'Undone' }), onProblem);
    },
  };
}

/** Actions on the labels of a prompt that the API does not have. */
export type LabelActions = {
  rollBack: (name: string, label: string, input: unknown) => Promise<Result<MovedLabel>>;
  /** Compares two versions on the held-out cases. */
  evaluate: (name: string, versions: unknown) => Promise<Result<LabelEvaluation>>;
};
