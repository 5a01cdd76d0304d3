'use client';

import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { SubmitForm } from './submit-form.tsx';

type DecisionDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: string;
  isWide?: boolean;
  /** Label of the submit button. */
  send: string;
  onSubmit: () => void;
  /** Shown next to the buttons. */
  aside?: ReactNode;
  children: ReactNode;
};

/** Dialog for the details of a decision: its fields, and buttons to submit or cancel. */
export function DecisionDialog({ send, onSubmit, aside, children, ...dialog }: DecisionDialogProps) {
  return (
    <Dialog {...dialog}>
      <SubmitForm className="flex flex-col gap-3" onSubmit={onSubmit}>
        {children}
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" variant="primary">
            {send}
          </Button>
          <Button variant="ghost" onClick={() => dialog.onOpenChange(false)}>
            Cancel
          </Button>
          {aside}
        </div>
      </SubmitForm>
    </Dialog>
  );
}
