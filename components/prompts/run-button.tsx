import { Play, Square } from 'lucide-react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { useRoleAccess } from '#components/access/role-provider.tsx';
import { Button } from '#components/ui/button.tsx';
import { useModEnter } from '#components/ui/use-mod-enter.ts';
import { useModKey } from '#components/ui/use-mod-key.ts';

type RunButtonProps = {
  label?: string;
  isRunning: boolean;
  /** Null: nothing can be run. */
  onRun: (() => void) | null;
  onStop: () => void;
  /** Reason that nothing can be run, shown next to the button. */
  reason?: string | undefined;
};

/** Runs the prompt, as Ctrl or ⌘ with Enter does, or stops the run that is under way. */
export function RunButton({ label = 'Run', isRunning, onRun, onStop, reason }: RunButtonProps) {
  const modKey = useModKey();
  const { may } = useRoleAccess('editor');
  useModEnter(may && !isRunning ? onRun : null);
  if (isRunning)
    return (
      <Button onClick={onStop}>
        <Square />
        Stop
      </Button>
    );
  return (
    <span className="flex items-center gap-2">
      {onRun === null && reason !== undefined ? <span className="text-ink-2 text-sm">{reason}</span> : null}
      <RoleButton needs="editor" variant="primary" onClick={onRun ?? undefined} disabled={onRun === null}>
        <Play />
        {label} {onRun === null ? null : <kbd>{modKey}↵</kbd>}
      </RoleButton>
    </span>
  );
}
