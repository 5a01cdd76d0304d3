'use client';

import type { FormEvent, ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

type AskDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: string;
  isWide?: boolean;
  /** What the button that sends it says. */
  send: string;
  onSubmit: () => void;
  /** Stands beside the buttons. */
  aside?: ReactNode;
  children: ReactNode;
};

/** The frame of a question that is asked before a decision: its fields, and the buttons that send or cancel it. */
export function AskDialog({ send, onSubmit, aside, children, ...dialog }: AskDialogProps) {
  function submit(event: FormEvent) {
    event.preventDefault();
    onSubmit();
  }
  return (
    <Dialog {...dialog}>
      <form className="flex flex-col gap-3" onSubmit={submit} noValidate>
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
      </form>
    </Dialog>
  );
}
