'use client';

import { usePerson } from '#components/access/role-provider.tsx';
import { Assignees } from '#components/team/assignees.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { LessonPeople } from '#lib/assignments/schema.ts';
import type { LessonDetail } from '#lib/core/lesson-library.ts';
import { formatNumberOf } from '#lib/format.ts';
import { OpinionForm } from './opinion-form.tsx';
import { OpinionList } from './opinion-list.tsx';
import { useLessonPeople } from './use-lesson-people.ts';

/** Who was asked to judge a lesson, and what reviewers think of it, each before they see the others. Nothing in local mode. */
export function LessonPeoplePane({ lesson, now }: { lesson: LessonDetail; now: Date }) {
  const { isLocal } = usePerson();
  const { people, put } = useLessonPeople(lesson);
  if (isLocal) return null;
  return (
    <Pane aria-labelledby="people-title" data-testid="lesson-people">
      <PaneHeader>
        <h2 id="people-title">Reviewers</h2>
        {people === undefined ? null : <span className="text-ink-3 text-sm">{givenLabel(people)}</span>}
      </PaneHeader>
      {people === undefined ? (
        <p className="animate-appear text-ink-2 text-sm">Reading who is on it</p>
      ) : (
        <div className="flex flex-col gap-3">
          <Assignees subject={{ kind: 'lesson', id: lesson.id }} assignments={people} onChanged={put} />
          {people.whyNotPromote === null ? null : <p className="text-sm">{people.whyNotPromote}</p>}
          {people.mayGive ? <OpinionForm lesson={lesson} onGiven={put} /> : null}
          <OpinionList people={people} now={now} />
        </div>
      )}
    </Pane>
  );
}

function givenLabel({ given }: LessonPeople): string {
  return given === 0 ? 'no opinion on this text yet' : `${formatNumberOf(given, 'opinion')} on this text`;
}
