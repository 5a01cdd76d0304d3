import { Columns } from '#components/ui/columns.tsx';
import type { LessonDetail } from '#lib/core/lesson-library.ts';
import { LessonChecks } from './lesson-checks.tsx';
import { LessonDuplicates } from './lesson-duplicates.tsx';
import { LessonEdits } from './lesson-edits.tsx';
import { LessonOriginPane } from './lesson-origin.tsx';
import { LessonPeoplePane } from './lesson-people.tsx';
import { LessonReach } from './lesson-reach.tsx';
import { LessonRecalls } from './lesson-recalls.tsx';
import { type CommentOnLesson, LessonTalk } from './lesson-talk.tsx';
import { LessonLabel } from './lesson-text-pane.tsx';
import { RulePane } from './rule-pane.tsx';
import { TrialPane } from './trial-pane.tsx';

type LessonBodyProps = {
  lesson: LessonDetail;
  now: Date;
  comment: CommentOnLesson;
  onEdit: () => void;
  /** Has a staged lesson screened. */
  onScreen: () => Promise<void>;
};

/** All that is known of a lesson: what it says and where it is from at the left, its way here and what people say at the right. */
export function LessonBody({ lesson, now, comment, onEdit, onScreen }: LessonBodyProps) {
  return (
    <Columns className="flex-1 medium:grid-cols-[minmax(0,1fr)_25rem] medium:in-data-[slot=queue-item]:grid-cols-2 wide:in-data-[slot=queue-item]:grid-cols-[minmax(0,1fr)_22.5rem] border-b-0">
      <div className="min-w-0">
        <LessonLabel lesson={lesson} onEdit={onEdit} />
        <LessonOriginPane lesson={lesson} />
        <LessonEdits edits={lesson.edits} now={now} />
        <LessonRecalls lesson={lesson} />
      </div>
      <div className="min-w-0">
        <LessonChecks lesson={lesson} onScreen={onScreen} />
        <TrialPane lesson={lesson} />
        <RulePane lesson={lesson} />
        <LessonDuplicates lesson={lesson} />
        <LessonReach lesson={lesson} />
        <LessonPeoplePane key={`people ${lesson.id}`} lesson={lesson} now={now} />
        <LessonTalk key={lesson.id} lesson={lesson} now={now} comment={comment} />
      </div>
    </Columns>
  );
}
