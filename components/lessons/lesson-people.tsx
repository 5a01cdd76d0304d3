'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { usePerson } from '#components/access/role-provider.tsx';
import { callApi } from '#components/api/call-api.ts';
import { TextLink } from '#components/ui/link.tsx';
import { loadOrRetry } from '#components/ui/load-or-retry.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { LessonPeople } from '#lib/assignments/queries.ts';
import type { LessonDetail } from '#lib/core/lesson-library.ts';
import { formatNumberOf } from '#lib/format.ts';
import { opinionLabel } from './lesson-labels.ts';

const Assignees = dynamic(
  () => loadOrRetry(() => import('#components/team/assignees.tsx').then((file) => file.Assignees)),
  { ssr: false, loading: LoadingReviewers },
);

/** Shows who was asked to review a lesson and the number of votes. Renders nothing in local mode. */
export function LessonPeoplePane({ lesson }: { lesson: LessonDetail }) {
  const { isLocal } = usePerson();
  const { people, put: setPeople } = useLessonPeople(lesson);
  if (isLocal) return null;
  return (
    <Pane aria-labelledby="people-title" data-testid="lesson-people">
      <PaneHeader titleId="people-title" title="Reviewers" note={people === undefined ? null : givenLabel(people)} />
      {people === undefined ? (
        <LoadingReviewers />
      ) : (
        <div className="flex flex-col gap-3">
          <Assignees subject={{ kind: 'lesson', id: lesson.id }} assignments={people} onChanged={setPeople} />
          {people.whyNotPromote === null ? null : <p className="text-sm">{people.whyNotPromote}</p>}
          <VotesNote people={people} />
        </div>
      )}
    </Pane>
  );
}

function LoadingReviewers() {
  return <p className="animate-appear text-ink-2 text-sm">Loading reviewers</p>;
}

function givenLabel({ given }: LessonPeople): string {
  return given === 0 ? 'no votes on this text yet' : `${formatNumberOf(given, 'vote')} on this text`;
}

/** Shows the agreement of reviewers if the user may see the votes, otherwise how to see them. */
function VotesNote({ people: { opinions, mayGive } }: { people: LessonPeople }) {
  if (opinions === null)
    return (
      <p className="text-ink-2 text-sm">
        {mayGive ? <>You see the votes of others once you have voted.</> : 'The votes are shown after the decision.'}
      </p>
    );
  if (opinions.length === 0) return null;
  return (
    <p className="text-sm">
      {opinionLabel(opinions)} <TextLink href="/insights#reviewers">See reviewer agreement</TextLink>
    </p>
  );
}

/**
 * Loads the people working on a lesson, as visible to the current user. Undefined until loaded and on errors. `put` shows a change
 * immediately.
 */
export function useLessonPeople(lesson: Pick<LessonDetail, 'id' | 'editCount' | 'status' | 'comments'>) {
  const queryClient = useQueryClient();
  const { id, editCount, status, comments } = lesson;
  const queryKey = ['lesson-people', id, editCount, status, comments.length];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi('GET /api/v1/lessons/{id}/people', { params: { id }, signal }),
  });
  const people = data?.ok ? data.value : undefined;
  return {
    people,
    put: (change: Partial<LessonPeople>) => {
      if (people !== undefined) queryClient.setQueryData(queryKey, { ok: true, value: { ...people, ...change } });
    },
  };
}
