'use client';

import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { formatNumberOf } from '#lib/format.ts';

export type LeaveDialogProps = {
  /** Names of the fields with unsaved text. Null while the dialog is closed. */
  fields: string[] | null;
  onStay: () => void;
  onLeave: () => void;
};

/** Confirms the loss of unsaved text. */
export function LeaveDialog({ fields, onStay, onLeave }: LeaveDialogProps) {
  return (
    <Dialog
      open={fields !== null}
      onOpenChange={(isOpen) => {
        if (!isOpen) onStay();
      }}
      title="Leave without saving?"
      description={`Unsaved changes will be lost: ${namesOf(fields ?? [])}.`}
    >
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" data-autofocus onClick={onStay}>
          Stay
        </Button>
        <Button onClick={onLeave}>Leave</Button>
      </div>
    </Dialog>
  );
}

const NAMED = 3;

function namesOf(fields: string[]): string {
  const names = fields.slice(0, NAMED).map((name) => `“${name}”`);
  return fields.length > NAMED
    ? `${names.join(', ')} and ${formatNumberOf(fields.length - NAMED, 'more field')}`
    : names.join(', ');
}
