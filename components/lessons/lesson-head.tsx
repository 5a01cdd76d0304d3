import Link from 'next/link';
import type { ReactNode } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { formatAgo, formatMoment, formatRunNumber, formatTitle } from '#lib/format.ts';
import type { LessonDetail } from '#lib/reflection/lesson-library.ts';
import { LessonStatus } from './lesson-status.tsx';
import { kindWords, lessonTitle, scopeWords } from './lesson-words.ts';

/** What a lesson is: how far it came, its kind and scope, what it says at first, and where it is from. */
export function LessonHead({ lesson, now, actions }: { lesson: LessonDetail; now: Date; actions?: ReactNode }) {
  const { origin } = lesson;
  return (
    <div className="pagehead">
      <div className="grow">
        <div className="row wrap mb-1.5">
          <LessonStatus lesson={lesson} />
          <Badge className="mono">{kindWords(lesson.kind)}</Badge>
          <Badge className="max-w-full">
            <span className="trunc">{scopeWords(lesson.scope)}</span>
          </Badge>
        </div>
        <h1 className="max-w-[70ch] wrap-anywhere">{formatTitle(lessonTitle(lesson), 160) || 'An empty lesson'}</h1>
        <div className="facts">
          {origin === null ? (
            <span>{lesson.createdBy === 'import' ? 'imported' : `written by ${lesson.createdBy}`}</span>
          ) : (
            <span className="max-w-full trunc">
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
        </div>
      </div>
      {actions ? <div className="row wrap actions">{actions}</div> : null}
    </div>
  );
}
