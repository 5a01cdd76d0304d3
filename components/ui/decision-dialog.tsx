'use client';

import { type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { focusOn } from './form-errors.tsx';
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

/**
 * Dialog for the details of a decision: its fields, and buttons to submit or cancel. If it stays open, the first invalid field gets the
 * focus.
 */
export function DecisionDialog({ send, onSubmit, aside, children, ...dialog }: DecisionDialogProps) {
  const fields = useRef<HTMLDivElement>(null);
  function submit() {
    onSubmit();
    // One frame later, when the errors are shown.
    requestAnimationFrame(() => {
      const invalid = fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
      if (invalid) focusOn(invalid);
    });
  }
  return (
    <Dialog {...dialog}>
      <SubmitForm className="flex flex-col gap-3" onSubmit={submit}>
        <div ref={fields} className="contents">
          {children}
        </div>
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
