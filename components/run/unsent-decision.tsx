import { Undo2 } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import type { ShortcutId } from '#components/ui/shortcut-keys.ts';
import { useSecondsLeft } from '#components/ui/timers.ts';
import { ShortcutKey } from '#components/ui/use-shortcuts.tsx';
import type { DraftDecision } from './use-run-answer.ts';

type UnsentDecisionProps = { draft: DraftDecision; shortcut: ShortcutId; onUndo: () => void };

/** Shows the effect of the draft and the time left to undo it. */
export function UnsentDecision({ draft, shortcut, onUndo }: UnsentDecisionProps) {
  const seconds = useSecondsLeft(draft.sendsAt);
  return (
    <>
      <span>
        <span role="status">
          <b className="text-ink">Your draft:</b> {draft.words}.
        </span>{' '}
        {seconds === null ? 'It was not sent, but it is saved.' : <span aria-hidden>Sent in {seconds} s.</span>}
      </span>
      <Button variant="ghost" size="small" onClick={onUndo}>
        <Undo2 />
        Undo <ShortcutKey id={shortcut} />
      </Button>
    </>
  );
}
