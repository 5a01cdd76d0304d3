'use client';

import Link from 'next/link';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { TimeAgo } from '#components/ui/time-ago.tsx';
import { VirtualRows } from '#components/ui/virtual-rows.tsx';
import { formatCount } from '#lib/format.ts';
import type { PairedLift } from '#lib/measures/paired-lift.ts';
import type { LessonListItem } from '#lib/reflection/lesson-library.ts';
import { LessonStatus } from './lesson-status.tsx';
import { kindWords, scopeWords } from './lesson-words.ts';
import { liftInShort, liftSentence } from './lift-words.ts';

type LessonTableProps = {
  lessons: readonly LessonListItem[];
  /** What trials say of lessons that were tried, by id. */
  lifts: Readonly<Record<string, PairedLift>>;
  now: string;
};

/** Lessons, one a row. Only those in sight are drawn. */
export function LessonTable({ lessons, lifts, now }: LessonTableProps) {
  return (
    <ScrollX label="Lessons">
      <table className="t hover edge lessons" data-testid="lessons" aria-rowcount={lessons.length + 1}>
        <thead>
          <tr>
            <th scope="col">Lesson</th>
            <th scope="col" className="rp">
              Status
            </th>
            <th scope="col" className="num opt">
              Used
            </th>
            <th scope="col" className="opt">
              Helped / hurt, lift
            </th>
            <th scope="col" className="opt">
              Last used
            </th>
            <th scope="col" className="opt">
              Reviewer
            </th>
          </tr>
        </thead>
        <VirtualRows
          count={lessons.length}
          rowHeight={56}
          keyOf={(index) => lessons[index]?.id ?? index}
          cells={(index) => {
            const lesson = lessons[index];
            return lesson ? <Cells lesson={lesson} lift={lifts[lesson.id] ?? null} now={now} /> : null;
          }}
        />
      </table>
    </ScrollX>
  );
}

function Cells({ lesson, lift, now }: { lesson: LessonListItem; lift: PairedLift | null; now: string }) {
  const { id, used, helpful, harmful, lastUsedAt, reviewedBy, source } = lesson;
  return (
    <>
      <td>
        <Link href={`/lessons/${id}`} className="said">
          {lesson.text}
        </Link>
        <span className="row wrap sm faint min-h-6 gap-x-2.5 gap-y-0">
          <span className="mono text-xs">{kindWords(lesson.kind)}</span>
          <span className="wrap-anywhere">{scopeWords(lesson.scope)}</span>
          {source.runId === null ? (
            <span className="wrap-anywhere">
              {lesson.createdBy === 'import' ? 'imported' : `by ${lesson.createdBy}`}
            </span>
          ) : (
            <Link
              className="link inline-flex min-h-6 items-center"
              href={`/runs/${source.runId}${source.version === null ? '' : `?v=${source.version}`}`}
            >
              {source.version === null ? 'its run' : `its run, v${source.version}`}
            </Link>
          )}
        </span>
      </td>
      <td className="rp">
        <span className="row wrap gap-1">
          <LessonStatus lesson={lesson} />
        </span>
      </td>
      <td className="num opt">{used >= 1000 ? '1,000+' : formatCount(used)}</td>
      <td className="nw opt">
        <span className="vh">helped </span>
        <span className={helpful > 0 ? 'better' : 'faint'}>{formatCount(helpful)}</span>
        <span className="faint"> / </span>
        <span className="vh">hurt </span>
        <span className={harmful > 0 ? 'worse' : 'faint'}>{formatCount(harmful)}</span>
        {lift === null ? null : (
          <span className="sm muted block whitespace-normal" title={liftSentence(lift)}>
            lift {liftInShort(lift)}
          </span>
        )}
      </td>
      <td className="sm muted opt">{lastUsedAt === null ? 'never' : <TimeAgo moment={lastUsedAt} now={now} />}</td>
      <td className="sm muted opt wrap-anywhere">{reviewedBy ?? <span className="faint">none</span>}</td>
    </>
  );
}
