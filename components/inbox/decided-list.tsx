import { Check } from 'lucide-react';
import Link from 'next/link';
import { formatAge } from '#lib/format.ts';

/** An item that was decided here: what was said of it, and when. */
export type DecidedItem = { runId: string; title: string; words: string; at: string };

/** What was decided here just now, latest first. */
export function DecidedList({ items, now }: { items: readonly DecidedItem[]; now: Date }) {
  if (items.length === 0) return null;
  return (
    <section aria-label="Decided just now" data-testid="decided-just-now">
      <p className="qgroup">Decided just now</p>
      <ul>
        {items.map(({ runId, title, words, at }) => (
          <li key={`${runId} ${at}`}>
            <Link href={`/runs/${runId}`} className="qi done">
              <Check className="i" aria-hidden />
              <span className="a trunc">{title}</span>
              <span className="t">{formatAge(at, now)}</span>
              <span className="m">You: {words}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
