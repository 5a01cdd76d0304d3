import { Check } from 'lucide-react';
import { Link } from '#components/ui/link.tsx';
import { QueueAside, QueueGroup, QueueNote, QueueRow, QueueTitle } from '#components/ui/queue.tsx';
import { formatAge } from '#lib/format.ts';

/** Item decided in this window, with the decision and its time. */
export type DecidedItem = { runId: string; title: string; words: string; at: string };

/** Lists recent decisions of this window, newest first. */
export function DecidedList({ items, now }: { items: readonly DecidedItem[]; now: Date }) {
  if (items.length === 0) return null;
  return (
    <section aria-label="Decided just now" data-testid="decided-just-now">
      <QueueGroup>Decided just now</QueueGroup>
      <ul>
        {items.map(({ runId, title, words, at }) => (
          <li key={`${runId} ${at}`}>
            <QueueRow asChild>
              <Link href={`/runs/${runId}`}>
                <Check />
                <QueueTitle isDone>{title}</QueueTitle>
                <QueueAside>{formatAge(at, now)}</QueueAside>
                <QueueNote>You: {words}</QueueNote>
              </Link>
            </QueueRow>
          </li>
        ))}
      </ul>
    </section>
  );
}
