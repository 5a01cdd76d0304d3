import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

type DialogFootProps = {
  action: string;
  /** Button label while the action is in progress. */
  busy: string;
  isBusy: boolean;
  isReady?: boolean;
  /** Left out: the button submits the form that the foot is in. */
  onAction?: () => void;
  onCancel: () => void;
  /** Reason why the last attempt failed. */
  problem?: { title: string; message?: string } | null;
  /** Other buttons, between the action and Cancel. */
  children?: ReactNode;
};

/** Footer of a dialog: the error, the action and the cancel button. */
export function DialogFoot(props: DialogFootProps) {
  const { action, busy, isBusy, isReady = true, onAction, onCancel, problem = null, children } = props;
  return (
    <>
      {problem === null ? null : (
        <Notice tone="worse" alert title={problem.title}>
          {problem.message}
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          type={onAction === undefined ? 'submit' : 'button'}
          variant="primary"
          onClick={onAction}
          disabled={isBusy || !isReady}
        >
          {isBusy ? busy : action}
        </Button>
        {children}
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </>
  );
}
