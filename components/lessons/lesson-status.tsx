import { Archive, Check, Hourglass, Pause, ShieldAlert, X } from 'lucide-react';
import { Badge } from '#components/ui/badge.tsx';
import type { LessonListItem } from '#lib/core/lesson-library.ts';
import { statusLabel } from './lesson-labels.ts';

type LessonStatusProps = { lesson: Pick<LessonListItem, 'status' | 'admission' | 'mergedIntoId' | 'isRefuted'> };

/** How far a lesson came; a promoted one that does harm is marked. */
export function LessonStatus({ lesson }: LessonStatusProps) {
  return (
    <>
      <Badge tone={toneOf(lesson)}>
        <Glyph lesson={lesson} />
        {statusLabel(lesson)}
      </Badge>
      {lesson.isRefuted ? (
        <Badge tone="worse">
          <ShieldAlert aria-hidden />
          refuted: retire?
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

function Glyph({ lesson: { status, admission } }: LessonStatusProps) {
  switch (status) {
    case 'candidate':
      return admission === 'held' ? <ShieldAlert aria-hidden /> : <Hourglass aria-hidden />;
    case 'quarantined':
      return <Pause aria-hidden />;
    case 'promoted':
      return <Check aria-hidden />;
    case 'rejected':
      return <X aria-hidden />;
    case 'archived':
      return <Archive aria-hidden />;
  }
}
