'use client';

import { type ReactNode, useState } from 'react';
import { Field, Textarea } from '#components/ui/field.tsx';
import { AskDialog } from './ask-dialog.tsx';

type GuideDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  version: number;
  isRetry: boolean;
  /** Stands over the field. */
  notice: ReactNode;
  onSend: (guidance: string) => void;
};

/** Asks what the next revision of a version is to do. What was written stays while the page does. */
export function GuideDialog({ open, onOpenChange, version, isRetry, notice, onSend }: GuideDialogProps) {
  const [guidance, setGuidance] = useState('');
  const [error, setError] = useState<string | null>(null);
  function send() {
    if (guidance.trim() === '') return setError(`say what the ${isRetry ? 'next attempt' : 'revision'} is to do`);
    setError(null);
    onSend(guidance.trim());
  }
  return (
    <AskDialog
      open={open}
      onOpenChange={onOpenChange}
      title={isRetry ? 'Guide the next attempt' : `Guide the revision of v${version}`}
      description={
        isRetry
          ? 'Your words stand in the prompt of the next attempt, and in that one only.'
          : `Your words stand in the prompt of the next revision, which starts from v${version}.`
      }
      send={isRetry ? 'Guide the attempt' : 'Guide the revision'}
      onSubmit={send}
    >
      {notice}
      <Field label="What it is to do" error={error}>
        <Textarea
          rows={5}
          maxLength={4_000}
          data-autofocus
          value={guidance}
          onChange={(event) => setGuidance(event.target.value)}
        />
      </Field>
    </AskDialog>
  );
}
