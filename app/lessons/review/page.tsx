import { z } from 'zod';
import { isInPart, REVIEW_PARTS } from '#components/lessons/review-queue.ts';
import { ReviewView } from '#components/lessons/review-view.tsx';
import { Page } from '#components/shell/page.tsx';
import { listAssignedLessons } from '#lib/db/assignments.ts';
import { countLessons } from '#lib/db/count-lessons.ts';
import { findLesson } from '#lib/db/find-lesson.ts';
import { listLessons } from '#lib/db/list-lessons.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { personOf } from '#lib/team/person-of.ts';
import { type SearchParams, searchParam } from '../../search-param.ts';
import { LESSON_ACTIONS } from '../lesson-actions.ts';
import { reviewFromQueue } from './actions.ts';

/** Lessons that are listed at once; what waits beyond is shown as these are decided on. */
const MOST_LISTED = 500;

export default async function ReviewPage({ searchParams }: { searchParams: SearchParams }) {
  const actor = await authorize({ name: 'page /lessons/review', role: 'viewer' });
  const asked = await searchParams;
  const part = REVIEW_PARTS.find((known) => known === searchParam(asked.part)) ?? 'all';
  const { database, now } = await getWorkshop();
  const toReview = {
    query: '',
    kind: null,
    status: null,
    year: null,
    scope: null,
    only: 'review',
    order: 'newest',
  } as const;
  const [counts, assigned, { items }] = await Promise.all([
    countLessons(database),
    listAssignedLessons(database, personOf(actor)),
    listLessons(database, toReview, { cursor: null, limit: MOST_LISTED }),
  ]);
  const named = z.uuid().safeParse(searchParam(asked.lesson)).data;
  const chosen = named ?? items.find((lesson) => isInPart(lesson, part, new Set(assigned)))?.id ?? null;
  return (
    <Page
      crumbs={[{ label: 'Lessons', href: '/lessons' }, { label: 'Review' }]}
      actions={<span className="sm faint wide-only">Opens the next by itself after a verdict</span>}
    >
      <ReviewView
        queue={items}
        lesson={chosen === null ? null : await findLesson(database, chosen)}
        waiting={counts.review}
        assigned={assigned}
        actions={{ ...LESSON_ACTIONS, review: reviewFromQueue }}
        now={now().toISOString()}
      />
    </Page>
  );
}
