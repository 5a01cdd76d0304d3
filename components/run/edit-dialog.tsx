'use client';

import { type ReactNode, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field, Textarea } from '#components/ui/field.tsx';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import { LONGEST_OUTPUT } from '#lib/runs/schema.ts';
import { AskDialog } from './ask-dialog.tsx';

type EditDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  version: number;
  next: number;
  output: string;
  /** Stands over the field. */
  notice: ReactNode;
  onSend: (output: string) => void;
};

/** A version to be changed by hand. What was written stays while the page does, also after an undo. */
export function EditDialog({ open, onOpenChange, version, next, output, notice, onSend }: EditDialogProps) {
  const [text, setText] = useState(output);
  const [error, setError] = useState<string | null>(null);
  function send() {
    if (text.trim() === '') return setError('write the text of the new version');
    if (text.length > LONGEST_OUTPUT)
      return setError(
        `leave out ${formatNumberOf(text.length - LONGEST_OUTPUT, 'character')}: at most ${formatCount(LONGEST_OUTPUT)} are kept`,
      );
    if (text === output) return setError(`change something: this is word for word v${version}`);
    setError(null);
    onSend(text);
  }
  return (
    <AskDialog
      open={open}
      onOpenChange={onOpenChange}
      isWide
      title={`Edit v${version}`}
      description={`Your text becomes v${next}. It is scored like any other, and then the run waits for you again; v${version} stays as it is.`}
      send={`Make v${next} of it`}
      onSubmit={send}
      aside={
        <Button variant="ghost" className="ml-auto" onClick={() => setText(output)} disabled={text === output}>
          Back to the text of v{version}
        </Button>
      }
    >
      {notice}
      <Field label="Text of the new version" error={error}>
        <Textarea rows={16} data-autofocus value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
    </AskDialog>
  );
}
