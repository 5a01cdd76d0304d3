'use client';

import { classNames } from '#components/ui/class-names.ts';
import { Link, TextLink } from '#components/ui/link.tsx';
import { TimeAgo } from '#components/ui/local-time.tsx';
import { ColumnHead, NumberCell, NumberHead, Table, TableHead } from '#components/ui/table.tsx';
import { VirtualRows } from '#components/ui/virtual-rows.tsx';
import type { LessonListItem } from '#lib/core/lesson-library.ts';
import { formatCount } from '#lib/format.ts';
import type { PairedLift } from '#lib/statistics/paired-lift-schema.ts';
import { LessonStatus } from './lesson-head.tsx';
import { kindLabel, liftSentence, scopeLabel, shortLiftLabel } from './lesson-labels.ts';

type LessonTableProps = {
  lessons: readonly LessonListItem[];
  lifts: Readonly<Record<string, PairedLift>>;
};

/** Table of lessons. Renders only visible rows. */
export function LessonTable({ lessons, lifts }: LessonTableProps) {
  return (
    <Table
      scrollLabel="Lessons"
      isInset
      hasHover
      className="table-fixed td:align-top [&_[data-slot=badge]]:h-auto [&_[data-slot=badge]]:min-h-5 [&_[data-slot=badge]]:whitespace-normal [&_[data-slot=badge]]:py-0.5 [&_[data-slot=badge]]:leading-tight"
      data-testid="lessons"
      aria-rowcount={lessons.length + 1}
    >
      <TableHead>
        <ColumnHead>Lesson</ColumnHead>
        <ColumnHead className="w-37 wide:w-52 max-narrow:w-38 max-narrow:pr-4">Status</ColumnHead>
        <NumberHead className="w-16 max-narrow:hidden">Used</NumberHead>
        <ColumnHead className="w-28 max-narrow:hidden">Helped / hurt, lift</ColumnHead>
        <ColumnHead className="w-26 max-narrow:hidden">Last used</ColumnHead>
        <ColumnHead className="w-30 max-narrow:hidden">Reviewer</ColumnHead>
      </TableHead>
      <VirtualRows
        rows={lessons}
        rowHeight={56}
        keyOf={({ id }) => id}
        cells={(lesson) => <Cells lesson={lesson} lift={lifts[lesson.id] ?? null} />}
      />
    </Table>
  );
}

function Cells({ lesson, lift }: { lesson: LessonListItem; lift: PairedLift | null }) {
  const { id, used, helpful, harmful, lastUsedAt, reviewedBy, source, mergedIntoId } = lesson;
  return (
    <>
      <td>
        <Link
          href={`/lessons/${id}`}
          className={classNames(
            'wrap-anywhere line-clamp-3 min-h-6 max-w-[72ch] whitespace-pre-line',
            mergedIntoId !== null && 'text-ink-3',
          )}
        >
          {lesson.text}
        </Link>
        <span className="flex min-h-6 flex-wrap items-center gap-x-2.5 gap-y-0 text-ink-3 text-sm">
          <span className="font-mono text-xs">{kindLabel(lesson.kind)}</span>
          <span className="wrap-anywhere">{scopeLabel(lesson.scope)}</span>
          {source.runId === null ? (
            <span className="wrap-anywhere">
              {lesson.createdBy === 'import' ? 'imported' : `by ${lesson.createdBy}`}
            </span>
          ) : (
            <TextLink
              className="inline-flex min-h-6 items-center"
              href={`/runs/${source.runId}${source.version === null ? '' : `?v=${source.version}`}`}
            >
              {source.version === null ? 'from a run' : `from a run, v${source.version}`}
            </TextLink>
          )}
        </span>
      </td>
      <td className="max-narrow:pr-4">
        <span className="flex flex-wrap items-center gap-1">
          <LessonStatus lesson={lesson} />
        </span>
        {mergedIntoId === null ? null : (
          <TextLink className="inline-flex min-h-6 items-center text-sm" href={`/lessons/${mergedIntoId}`}>
            into a similar lesson
          </TextLink>
        )}
      </td>
      <NumberCell className="max-narrow:hidden">{used >= 1000 ? '1,000+' : formatCount(used)}</NumberCell>
      <td className="whitespace-nowrap max-narrow:hidden">
        <span className="sr-only">helped </span>
        <span className={helpful > 0 ? 'text-better' : 'text-ink-3'}>{formatCount(helpful)}</span>
        <span className="text-ink-3"> / </span>
        <span className="sr-only">hurt </span>
        <span className={harmful > 0 ? 'text-worse' : 'text-ink-3'}>{formatCount(harmful)}</span>
        {lift === null ? null : (
          <span className="block whitespace-normal text-ink-2 text-sm" title={liftSentence(lift)}>
            lift {shortLiftLabel(lift)}
          </span>
        )}
      </td>
      <td className="text-ink-2 text-sm max-narrow:hidden">
        {lastUsedAt === null ? 'never' : <TimeAgo moment={lastUsedAt} />}
      </td>
      <td className="wrap-anywhere text-ink-2 text-sm max-narrow:hidden">
        {reviewedBy ?? <span className="text-ink-3">none</span>}
      </td>
    </>
  );
}
