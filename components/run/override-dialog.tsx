'use client';

import { type FormEvent, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field, Input, Select, Textarea } from '#components/ui/field.tsx';
import type { Problem } from '#lib/reflection/problem.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';
import type { DecisionInput } from './run-actions.ts';

type OverrideDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  version: number;
  settings: ExperimentSettings;
  isBusy: boolean;
  problem: Problem | null;
  onSend: (input: DecisionInput) => void;
};

/** Asks for a person's own score of a version, as a whole or of one criterion. */
export function OverrideDialog({
  open,
  onOpenChange,
  version,
  settings,
  isBusy,
  problem,
  onSend,
}: OverrideDialogProps) {
  const [score, setScore] = useState('');
  const [criterion, setCriterion] = useState('');
  const [reason, setReason] = useState('');
  const errorOf = (field: string) => (problem?.field === field ? problem.message : null);

  function send(event: FormEvent) {
    event.preventDefault();
    onSend({
      decision: 'override',
      version,
      score: score.trim() === '' ? Number.NaN : Number(score.replace(',', '.')),
      ...(criterion === '' ? {} : { criterion }),
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
    });
  }

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Score v${version} yourself`}
      description="Your score is added beside the machine’s, never in its place; from then on the loop goes by yours."
    >
      <form className="stack gap-3" onSubmit={send} noValidate>
        <Field label="What to score" error={errorOf('criterion')}>
          <Select value={criterion} onChange={(event) => setCriterion(event.target.value)}>
            <option value="">Overall</option>
            {settings.criteria.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Score" help="From 0 to 1" error={errorOf('score')}>
          <Input numeric data-autofocus value={score} onChange={(event) => setScore(event.target.value)} />
        </Field>
        <Field label="Reason" help="Stays with the score" error={errorOf('reason')}>
          <Textarea rows={3} value={reason} onChange={(event) => setReason(event.target.value)} />
        </Field>
        {problem && !['score', 'criterion', 'reason'].includes(problem.field ?? '') ? (
          <p className="sm worse" role="alert">
            {problem.message}
          </p>
        ) : null}
        <div className="row">
          <Button type="submit" variant="primary" disabled={isBusy}>
            Add my score
          </Button>
          <Button variant="ghost" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
