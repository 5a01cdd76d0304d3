'use client';

import { useState } from 'react';
import { DecisionDialog } from '#components/ui/decision-dialog.tsx';
import { Field, Input, Select, Textarea } from '#components/ui/field.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Options } from '#components/ui/options.tsx';
import { parseScore } from '#components/ui/parse-entries.ts';
import type { RunRecord, VersionRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import { MAX_OUTPUT_LENGTH } from '#lib/runs/run-facts.ts';
import { decidedMeanwhileLabel } from './decision-labels.ts';
import type { DecisionInput } from './run-actions.ts';
import { TextDecisionDialog } from './text-decision-dialog.tsx';
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
  const isRetry = settings.mode === 'retry';
  const next = record.versions.length;
  const dialog = (name: RunDialog) => ({
    open: open === name,
    onOpenChange: (isOpen: boolean) => onOpen(isOpen ? name : null),
  });
  const notice = open === 'score' ? null : <PauseOverNotice record={record} pauseId={opened.pauseId} />;
  return (
    <>
      <OverrideDialog
        key={`score-${number}`}
        {...dialog('score')}
        version={number}
        settings={settings}
        onSend={(input) => {
          onOpen(null);
          decisions.proposeScore(input, number);
        }}
      />
      <TextDecisionDialog
        key={`guide-${number}`}
        {...dialog('guide')}
        title={isRetry ? 'Guide the next attempt' : `Guide the revision of v${number}`}
        description={
          isRetry
            ? 'Your text is added to the prompt of the next attempt only.'
            : `Your text is added to the prompt of the next revision, which starts from v${number}.`
        }
        send={isRetry ? 'Guide attempt' : 'Guide revision'}
        label="Guidance"
        rows={5}
        maxLength={4_000}
        problemOf={(text) =>
          text.trim() === '' ? `enter guidance for the ${isRetry ? 'next attempt' : 'revision'}` : null
        }
        onSend={(text) => decisions.proposeGuide(number, text.trim())}
      >
        {notice}
      </TextDecisionDialog>
      <TextDecisionDialog
        key={`edit-${number}`}
        {...dialog('edit')}
        isWide
        title={`Edit v${number}`}
        description={`Your text becomes v${next}. Hone scores it, then the run waits for you again. v${number} does not change.`}
        send={`Create v${next}`}
        label="Text of the new version"
        rows={16}
        original={{ text: output, restore: `Restore text of v${number}` }}
        problemOf={(text) => editProblem(text, opened.version)}
        onSend={(text) => decisions.proposeEdit(number, text)}
      >
        {notice}
      </TextDecisionDialog>
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

/** Returns why a version cannot be created from the edited text of another. Null if it can. */
function editProblem(text: string, { number, output }: VersionRecord): string | null {
  if (text.trim() === '') return 'enter the text of the new version';
  if (text.length > MAX_OUTPUT_LENGTH)
    return `leave out ${formatNumberOf(text.length - MAX_OUTPUT_LENGTH, 'character')}: at most ${formatCount(MAX_OUTPUT_LENGTH)} are kept`;
  return text === output ? `change the text, it is identical to v${number}` : null;
}

type OverrideDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  version: number;
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
    const value = parseScore(score);
    if (value === null) return setError('score must be a number from 0 to 1');
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
