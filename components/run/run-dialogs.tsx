'use client';

import { type ReactNode, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { DecisionDialog } from '#components/ui/decision-dialog.tsx';
import { Field, Input, Select, Textarea } from '#components/ui/field.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Options } from '#components/ui/options.tsx';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import { MAX_OUTPUT_LENGTH } from '#lib/runs/run-facts.ts';
import { decidedMeanwhileLabel } from './decision-labels.ts';
import type { DecisionInput } from './run-actions.ts';
import type { RunDecisions, RunDialog } from './use-run-answer.ts';

type RunDialogsProps = {
  record: RunRecord;
  version: VersionRecord;
  settings: ExperimentSettings;
  decisions: RunDecisions;
  open: RunDialog | null;
  onOpen: (dialog: RunDialog | null) => void;
};

/**
 * Dialogs for the details of a decision. Each keeps the version chosen when it was opened. If the run moves on, the dialog keeps the
 * entered text and shows a notice.
 */
export function RunDialogs({ record, version, settings, decisions, open, onOpen }: RunDialogsProps) {
  const pauseId = record.waitingFor?.pauseId;
  const [opened, setOpened] = useState({ version, pauseId });
  if (open === null && (opened.version !== version || opened.pauseId !== pauseId)) setOpened({ version, pauseId });
  const { number, output } = opened.version;
  const dialog = (name: RunDialog) => ({
    open: open === name,
    onOpenChange: (isOpen: boolean) => onOpen(isOpen ? name : null),
    version: number,
  });
  const notice = open === 'score' ? null : <PauseOverNotice record={record} pauseId={opened.pauseId} />;
  return (
    <>
      <OverrideDialog
        key={`score-${number}`}
        {...dialog('score')}
        settings={settings}
        onSend={(input) => {
          onOpen(null);
          decisions.proposeScore(input, number);
        }}
      />
      <GuideDialog
        key={`guide-${number}`}
        {...dialog('guide')}
        isRetry={settings.mode === 'retry'}
        notice={notice}
        onSend={(guidance) => {
          onOpen(null);
          decisions.proposeGuide(number, guidance);
        }}
      />
      <EditDialog
        key={`edit-${number}`}
        {...dialog('edit')}
        next={record.versions.length}
        output={output}
        notice={notice}
        onSend={(text) => {
          onOpen(null);
          decisions.proposeEdit(number, text);
        }}
      />
    </>
  );
}

/** Notice that the pause being answered is over, and the fate of the text. */
function PauseOverNotice({ record, pauseId }: { record: RunRecord; pauseId: string | undefined }) {
  const label = decidedMeanwhileLabel(record, pauseId);
  if (label === null) return null;
  return (
    <Notice tone="person" alert title={label}>
      {record.waitingFor === null
        ? 'The run no longer waits for an answer. You can still copy your text.'
        : `Your text is still here. If you send it, it answers the current pause at v${record.waitingFor.version}.`}
    </Notice>
  );
}

/** Props shared by all dialogs. */
type QuestionProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  version: number;
};

type OverrideDialogProps = QuestionProps & {
  settings: ExperimentSettings;
  onSend: (input: DecisionInput) => void;
};

/** Dialog for a person's score of a version, overall or for one criterion. */
function OverrideDialog({ version, settings, onSend, ...dialog }: OverrideDialogProps) {
  const [score, setScore] = useState('');
  const [criterion, setCriterion] = useState('');
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string | null>(null);

  function send() {
    const value = score.trim() === '' ? Number.NaN : Number(score.replace(',', '.'));
    if (!(value >= 0 && value <= 1)) return setError('score must be a number from 0 to 1');
    setError(null);
    onSend({
      decision: 'override',
      version,
      score: value,
      ...(criterion === '' ? {} : { criterion }),
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
    });
  }

  return (
    <DecisionDialog
      {...dialog}
      title={`Score v${version} yourself`}
      description="Your score is stored next to the automatic score. The run uses yours from now on."
      send="Add score"
      onSubmit={send}
    >
      <Field label="Criterion">
        <Select value={criterion} onValue={setCriterion}>
          <option value="">Overall</option>
          <Options of={settings.criteria.map(({ name }) => name)} />
        </Select>
      </Field>
      <Field label="Score" help="From 0 to 1" error={error}>
        <Input numeric data-autofocus value={score} onValue={setScore} />
      </Field>
      <Field label="Reason" help="Stored with the score">
        <Textarea rows={3} maxLength={2_000} value={reason} onValue={setReason} />
      </Field>
    </DecisionDialog>
  );
}

type GuideDialogProps = QuestionProps & {
  isRetry: boolean;
  /** Shown above the field. */
  notice: ReactNode;
  onSend: (guidance: string) => void;
};

/** Dialog for guidance on the next revision of a version. The text is kept until the page is left. */
function GuideDialog({ version, isRetry, notice, onSend, ...dialog }: GuideDialogProps) {
  const [guidance, setGuidance] = useState('');
  const [error, setError] = useState<string | null>(null);
  function send() {
    if (guidance.trim() === '') return setError(`enter guidance for the ${isRetry ? 'next attempt' : 'revision'}`);
    setError(null);
    onSend(guidance.trim());
  }
  return (
    <DecisionDialog
      {...dialog}
      title={isRetry ? 'Guide the next attempt' : `Guide the revision of v${version}`}
      description={
        isRetry
          ? 'Your text is added to the prompt of the next attempt only.'
          : `Your text is added to the prompt of the next revision, which starts from v${version}.`
      }
      send={isRetry ? 'Guide attempt' : 'Guide revision'}
      onSubmit={send}
    >
      {notice}
      <Field label="Guidance" error={error}>
        <Textarea rows={5} maxLength={4_000} data-autofocus value={guidance} onValue={setGuidance} />
      </Field>
    </DecisionDialog>
  );
}

type EditDialogProps = QuestionProps & {
  next: number;
  output: string;
  /** Shown above the field. */
  notice: ReactNode;
  onSend: (output: string) => void;
};

/** Dialog to edit a version by hand. The text is kept until the page is left, even after an undo. */
function EditDialog({ version, next, output, notice, onSend, ...dialog }: EditDialogProps) {
  const [text, setText] = useState(output);
  const [error, setError] = useState<string | null>(null);
  function send() {
    if (text.trim() === '') return setError('enter the text of the new version');
    if (text.length > MAX_OUTPUT_LENGTH)
      return setError(
        `leave out ${formatNumberOf(text.length - MAX_OUTPUT_LENGTH, 'character')}: at most ${formatCount(MAX_OUTPUT_LENGTH)} are kept`,
      );
    if (text === output) return setError(`change the text, it is identical to v${version}`);
    setError(null);
    onSend(text);
  }
  return (
    <DecisionDialog
      {...dialog}
      isWide
      title={`Edit v${version}`}
      description={`Your text becomes v${next}. Hone scores it, then the run waits for you again. v${version} does not change.`}
      send={`Create v${next}`}
      onSubmit={send}
      aside={
        <Button variant="ghost" className="ml-auto" onClick={() => setText(output)} disabled={text === output}>
          Restore text of v{version}
        </Button>
      }
    >
      {notice}
      <Field label="Text of the new version" error={error}>
        <Textarea rows={16} data-autofocus value={text} onValue={setText} />
      </Field>
    </DecisionDialog>
  );
}
