import { Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { LocalTime, useExactTime } from '#components/ui/local-time.tsx';
import type { ShortcutId } from '#components/ui/shortcut-keys.ts';
import { useNow, useSecondsLeft } from '#components/ui/timers.ts';
import { ShortcutKey } from '#components/ui/use-shortcuts.tsx';
import { formatAge } from '#lib/format.ts';
import type { DraftDecision } from './use-run-answer.ts';

type UnsentDecisionProps = { draft: DraftDecision; shortcut: ShortcutId; onUndo: () => void };

/** Shows the effect of the draft and the time left to undo it. */
export function UnsentDecision({ draft, shortcut, onUndo }: UnsentDecisionProps) {
  const seconds = useSecondsLeft(draft.sendsAt);
  return (
    <>
      <span>
        <span role="status">
          <b className="text-ink">Your draft:</b> {draft.description}.
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

type PauseAgeProps = {
  pause: { since: string; expiresAt: string | null };
  /** Effect of the timeout, as the beginning of a sentence. */
  timeout: string;
};

/** Shows how long a run has been paused and when its timeout takes effect. */
export function PauseAge({ pause, timeout }: PauseAgeProps) {
  const exactTime = useExactTime();
  const age = formatAge(pause.since, useNow(20_000));
  return (
    <span className="ml-auto max-narrow:hidden" title={exactTime(pause.since)}>
      {age === 'now' ? 'Paused just now.' : `Paused for ${age}.`}{' '}
      {pause.expiresAt ? (
        <>
          {timeout} at <LocalTime moment={pause.expiresAt} />.
        </>
      ) : (
        'No timeout.'
      )}
    </span>
  );
}

/** Returns a function that makes the button of an act with its key. The button of an act that is null is disabled. */
export function buttonsOf<Id extends ShortcutId>(acts: Record<Id, (() => void) | null>, isBusy: boolean) {
  return (id: Id, label: ReactNode, title?: string) => (
    <Button onClick={acts[id] ?? undefined} disabled={isBusy || acts[id] === null} title={title}>
      {label} <ShortcutKey id={id} />
    </Button>
  );
}
