import Link from 'next/link';
import type { ReactNode } from 'react';
import { PageHead } from '#components/layout/page-head.tsx';
import { Badge } from '#components/ui/badge.tsx';
import type { LessonDetail } from '#lib/core/lesson-library.ts';
import { formatAgo, formatMoment, formatRunNumber, formatTitle } from '#lib/format.ts';
import { kindLabel, lessonTitle, scopeLabel } from './lesson-labels.ts';
import { LessonStatus } from './lesson-status.tsx';

/** What a lesson is: how far it came, its kind and scope, what it says at first, and where it is from. */
export function LessonHead({ lesson, now, actions }: { lesson: LessonDetail; now: Date; actions?: ReactNode }) {
  const { origin } = lesson;
  return (
    <PageHead
      title={formatTitle(lessonTitle(lesson), 160) || 'An empty lesson'}
      titleClassName="max-w-[70ch]"
      facts={
        <>
          {origin === null ? (
            <span>{lesson.createdBy === 'import' ? 'imported' : `written by ${lesson.createdBy}`}</span>
          ) : (
            <span className="min-w-0 max-w-full truncate">
              from run{' '}
              <Link
                className="link"
                href={`/runs/${origin.runId}${origin.version === null ? '' : `?v=${origin.version}`}`}
              >
                {formatRunNumber(origin.runNumber)}
              </Link>
              {origin.version === null ? '' : `, v${origin.version}`}
            </span>
          )}
          <span title={formatMoment(lesson.createdAt)}>{formatAgo(lesson.createdAt, now)}</span>
          {lesson.reviewedBy === null || lesson.reviewedAt === null ? null : (
            <span title={formatMoment(lesson.reviewedAt)}>
              reviewed by <b>{lesson.reviewedBy}</b>, {formatAgo(lesson.reviewedAt, now)}
            </span>
          )}
        </>
      }
      actions={actions}
    >
      <div className="mb-1.5 flex flex-wrap items-center gap-2">
        <LessonStatus lesson={lesson} />
        <Badge className="font-mono">{kindLabel(lesson.kind)}</Badge>
        <Badge className="max-w-full">
          <span className="min-w-0 truncate">{scopeLabel(lesson.scope)}</span>
        </Badge>
      </div>
    </PageHead>
  );
}
