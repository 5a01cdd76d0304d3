'use client';

import { useState } from 'react';
import { AskDialog } from '#components/run/ask-dialog.tsx';
import { Field, Textarea } from '#components/ui/field.tsx';

type RefuseDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  tool: string;
  onSend: (reason: string) => void;
};

/** Asks why the agent may not use the tool: it reads this in the place of a result. */
export function RefuseDialog({ open, onOpenChange, tool, onSend }: RefuseDialogProps) {
  const [reason, setReason] = useState('');
  return (
    <AskDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Refuse the use of ${tool}`}
      description="The tool is not used. The agent reads your reason in the place of a result, and goes on."
      send="Refuse"
      onSubmit={() => onSend(reason.trim())}
    >
      <Field label="Reason" help="What it should do instead, for example. May be left empty.">
        <Textarea
          rows={4}
          maxLength={2_000}
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Field>
    </AskDialog>
  );
}
