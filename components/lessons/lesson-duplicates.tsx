import Link from 'next/link';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { LessonBrief, LessonDetail } from '#lib/core/lesson-library.ts';
import { formatMoment } from '#lib/format.ts';

/** Lessons that say the same: the one that speaks for this, or those this one speaks for. */
export function LessonDuplicates({ lesson: { merged, mergedInto } }: { lesson: LessonDetail }) {
  if (merged.length === 0 && mergedInto === null) return null;
  return (
    <Pane data-testid="lesson-duplicates">
      <PaneHeader>
        <h2>Near-duplicates</h2>
        <span className="text-ink-3 text-sm">
          {mergedInto === null ? `${merged.length} merged in; their sources are kept` : 'merged into another'}
        </span>
      </PaneHeader>
      <ul className="flex flex-col gap-2">
        {(mergedInto === null ? merged : [mergedInto, ...merged]).map((brief) => (
          <Brief key={brief.id} brief={brief} isKept={brief.id === mergedInto?.id} />
        ))}
      </ul>
    </Pane>
  );
}

function Brief({ brief, isKept }: { brief: LessonBrief; isKept: boolean }) {
  return (
    <li>
      <Link href={`/lessons/${brief.id}`} className="wrap-anywhere link whitespace-pre-wrap">
        {brief.text}
      </Link>
      <p className="wrap-anywhere text-ink-3 text-sm" title={formatMoment(brief.createdAt)}>
        {isKept ? `speaks for this one, ${brief.status}` : brief.source.runId === null ? brief.createdBy : 'from a run'}
        {brief.source.runId === null ? null : (
          <>
            {', '}
            <Link className="link" href={`/runs/${brief.source.runId}`}>
              its run
            </Link>
          </>
        )}
      </p>
    </li>
  );
}
