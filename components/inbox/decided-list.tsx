import { Check } from 'lucide-react';
import { Link } from '#components/ui/link.tsx';
import { QueueAside, QueueGroup, QueueNote, QueueRow, QueueTitle } from '#components/ui/queue.tsx';
import { useNow } from '#components/ui/timers.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { formatAge } from '#lib/format.ts';

/** Item decided in this window, with the decision and its time. */
export type DecidedItem = { runId: string; title: string; label: string; at: string };

/** Lists recent decisions of this window, newest first. */
export function DecidedList({ items }: { items: readonly DecidedItem[] }) {
  const now = useNow(20_000);
  if (items.length === 0) return null;
  return (
    <section aria-label="Decided just now" data-testid="decided-just-now">
      <QueueGroup>Decided just now</QueueGroup>
      <ul>
        {items.map(({ runId, title, label, at }) => (
          <li key={`${runId} ${at}`}>
            <QueueRow asChild>
              <Link href={`/runs/${runId}`}>
                <Check />
                <QueueTitle isDone>{title}</QueueTitle>
                <QueueAside>{formatAge(at, now)}</QueueAside>
                <QueueNote>You: {label}</QueueNote>
              </Link>
            </QueueRow>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Decision = RunRecord['decisions'][number];

/**
 * Returns a key that identifies a decision: one per pause, or one per criterion for scores. Overrides and their reversal belong to the run,
 * not to a pause.
 */
export function decisionKey(
  runId: string,
  { decision, criterion, pauseId }: { decision: string; criterion?: string | null; pauseId?: string | null },
): string {
  if (decision === 'override' || decision === 'restore') return `${runId} ${decision}`;
  return decision === 'score' ? `${pauseId} score ${criterion}` : `${pauseId}`;
}

/** End of a pause. `decision` is null if the cause is unknown. */
type PauseEnd = { here: boolean; decision: Decision | null };

/**
 * Returns the decision that ended a past pause, and if it was made in this window. `decidedHere`: keys of this window's decisions. A pause
 * without a decision was ended by an override.
 */
export function pauseEnd(
  record: Pick<RunRecord, 'id' | 'decisions'>,
  pauseId: string,
  decidedHere: ReadonlySet<string>,
): PauseEnd {
  const verdict = record.decisions.findLast((decision) => decision.pauseId === pauseId);
  const decision = verdict ?? record.decisions.findLast((candidate) => candidate.decision === 'override') ?? null;
  return { here: decision !== null && decidedHere.has(decisionKey(record.id, decision)), decision };
}

/** Returns the last pause of a run that was answered in this window. Null if there is none. */
export function answeredHere(
  record: Pick<RunRecord, 'id' | 'decisions'>,
  decidedHere: ReadonlySet<string>,
): string | null {
  const isHere = (decision: Decision) => decision.pauseId !== null && decidedHere.has(decisionKey(record.id, decision));
  return record.decisions.findLast(isHere)?.pauseId ?? null;
}
