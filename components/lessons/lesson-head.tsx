import { Archive, Check, GitMerge, Hourglass, Pause, ShieldAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { PageHead } from '#components/layout/page-head.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { TimeAgo } from '#components/ui/local-time.tsx';
import type { LessonDetail, LessonListItem, LessonRecall } from '#lib/core/lesson-library.ts';
import { formatRunNumber, formatTitle } from '#lib/format.ts';
import { kindLabel, lessonTitle, scopeLabel, statusLabel } from './lesson-labels.ts';

/** Header of a lesson: status, kind, scope, first line and origin. */
export function LessonHead({ lesson, actions }: { lesson: LessonDetail; actions?: ReactNode }) {
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
              <TextLink href={`/runs/${origin.runId}${origin.version === null ? '' : `?v=${origin.version}`}`}>
                {formatRunNumber(origin.runNumber)}
              </TextLink>
              {origin.version === null ? '' : `, v${origin.version}`}
            </span>
          )}
          <TimeAgo moment={lesson.createdAt} />
          {lesson.reviewedBy === null || lesson.reviewedAt === null ? null : (
            <span>
              reviewed by <b>{lesson.reviewedBy}</b>, <TimeAgo moment={lesson.reviewedAt} />
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

type LessonStatusProps = { lesson: Pick<LessonListItem, 'status' | 'admission' | 'mergedIntoId' | 'isRefuted'> };

/** Shows the status of a lesson. Marks promoted lessons that do harm. */
export function LessonStatus({ lesson }: LessonStatusProps) {
  return (
    <>
      <Badge tone={toneOf(lesson)}>
        <Glyph lesson={lesson} />
        {statusLabel(lesson)}
      </Badge>
      {lesson.isRefuted ? (
        <Badge tone="worse">
          <ShieldAlert />
          refuted, retire?
        </Badge>
      ) : null}
    </>
  );
}

function toneOf({ status, admission }: LessonStatusProps['lesson']): 'better' | 'worse' | 'wait' | 'plain' {
  switch (status) {
    case 'candidate':
      return admission === 'held' ? 'worse' : 'plain';
    case 'quarantined':
      return 'wait';
    case 'promoted':
      return 'better';
    case 'rejected':
    case 'archived':
      return 'plain';
  }
}

function Glyph({ lesson: { status, admission, mergedIntoId } }: LessonStatusProps) {
  const glyphs = {
    candidate: admission === 'held' ? <ShieldAlert /> : <Hourglass />,
    quarantined: <Pause />,
    promoted: <Check />,
    rejected: <X />,
    archived: mergedIntoId === null ? <Archive /> : <GitMerge />,
  };
  return glyphs[status];
}

/** Icon and label for the effect of a recalled lesson. Renders nothing without a version to compare with. */
export function LessonEffect({ effect }: { effect: LessonRecall['effect'] }) {
  switch (effect) {
    case 'helpful':
      return (
        <span className="whitespace-nowrap font-medium text-better">
          <span aria-hidden>▲</span> helped
        </span>
      );
    case 'harmful':
      return (
        <span className="whitespace-nowrap font-medium text-worse">
          <span aria-hidden>▼</span> hurt
        </span>
      );
    case 'neutral':
      return <span className="whitespace-nowrap font-medium text-ink-3">= neutral</span>;
    case null:
      return <span className="text-ink-3">not evaluated</span>;
  }
}
