'use client';

import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import type { DialogProps } from './modal-dialog.tsx';

type ConfirmDialogProps = Omit<DialogProps, 'children'> & {
  action: string;
  /** Button label while the action is in progress. */
  busy?: string;
  isBusy?: boolean;
  onConfirm: () => void;
};

/** Dialog that confirms an action that takes effect immediately. */
export function ConfirmDialog({ action, busy, isBusy = false, onConfirm, ...dialog }: ConfirmDialogProps) {
  return (
    <Dialog {...dialog}>
      <div className="flex items-center gap-2">
        <Button onClick={onConfirm} disabled={isBusy}>
          {isBusy ? (busy ?? action) : action}
        </Button>
        <Button variant="ghost" onClick={() => dialog.onOpenChange(false)}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}
