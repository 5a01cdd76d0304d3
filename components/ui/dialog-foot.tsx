import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

type DialogFootProps = {
  action: string;
  /** What the button says while it is being done. */
  busy: string;
  isBusy: boolean;
  isReady: boolean;
  onAction: () => void;
  onCancel: () => void;
  /** Why the last try came to nothing. */
  problem: { title: string; message: string } | null;
};

/** The end of a dialog: what went wrong, the one thing it does, and the way out. */
export function DialogFoot({ action, busy, isBusy, isReady, onAction, onCancel, problem }: DialogFootProps) {
  return (
    <>
      {problem === null ? null : (
        <Notice tone="worse" alert title={problem.title}>
          {problem.message}
        </Notice>
      )}
      <div className="flex items-center gap-2">
        <Button variant="primary" onClick={onAction} disabled={isBusy || !isReady}>
          {isBusy ? busy : action}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </>
  );
}
