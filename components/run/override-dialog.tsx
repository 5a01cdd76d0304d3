'use client';

import { useState } from 'react';
import { Field, Input, Select, Textarea } from '#components/ui/field.tsx';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { AskDialog } from './ask-dialog.tsx';
import type { DecisionInput } from './run-actions.ts';

type OverrideDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  version: number;
  settings: ExperimentSettings;
  onSend: (input: DecisionInput) => void;
};

/** Asks for a person's own score of a version, as a whole or of one criterion. */
export function OverrideDialog({ open, onOpenChange, version, settings, onSend }: OverrideDialogProps) {
  const [score, setScore] = useState('');
  const [criterion, setCriterion] = useState('');
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string | null>(null);

  function send() {
    const given = score.trim() === '' ? Number.NaN : Number(score.replace(',', '.'));
    if (!(given >= 0 && given <= 1)) return setError('score must be a number from 0 to 1');
    setError(null);
    onSend({
      decision: 'override',
      version,
      score: given,
      ...(criterion === '' ? {} : { criterion }),
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
    });
  }

  return (
    <AskDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Score v${version} yourself`}
      description="Your score is added beside the machine’s, never in its place; from then on the loop goes by yours."
      send="Add my score"
      onSubmit={send}
    >
      <Field label="What to score">
        <Select value={criterion} onChange={(event) => setCriterion(event.target.value)}>
          <option value="">Overall</option>
          {settings.criteria.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Score" help="From 0 to 1" error={error}>
        <Input numeric data-autofocus value={score} onChange={(event) => setScore(event.target.value)} />
      </Field>
      <Field label="Reason" help="Stays with the score">
        <Textarea rows={3} maxLength={2_000} value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </AskDialog>
  );
}
