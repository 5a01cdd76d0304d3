import { z } from 'zod';
import { Page } from '#components/layout/page.tsx';
import { REVIEW_PAGE, REVIEW_PARTS, reviewSelection } from '#components/lessons/review-queue.ts';
import { ReviewView } from '#components/lessons/review-view.tsx';
import { listAssignedLessons } from '#lib/assignments/queries.ts';
import { personOf } from '#lib/auth/actor.ts';
import { authorizePage } from '#lib/auth/authorize.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { LessonFilter } from '#lib/core/lesson-schema.ts';
import { countReviews } from '#lib/lessons/lesson-status.ts';
import { findLesson, listContestedLessons, listLessons } from '#lib/lessons/queries.ts';
import { type SearchParams, searchParam } from '../../search-param.ts';

export default async function ReviewPage({ searchParams }: { searchParams: SearchParams }) {
  const actor = await authorizePage('/lessons/review');
  const query = await searchParams;
  const part = REVIEW_PARTS.find((known) => known === searchParam(query.part)) ?? 'all';
  const { database } = await getAppContext();
  const personId = personOf(actor);
  const toReview: LessonFilter = {
    query: '',
    kind: null,
    status: null,
    year: null,
    scope: null,
    only: reviewSelection(part),
    personId,
    order: 'newest',
  };
  const [counts, assigned, contested, first] = await Promise.all([
    countReviews(database, personId),
    listAssignedLessons(database, personId),
    listContestedLessons(database),
    listLessons(database, toReview, { cursor: null, limit: REVIEW_PAGE }),
  ]);
  const named = z.uuid().safeParse(searchParam(query.lesson)).data;
  const chosen = named ?? first.items[0]?.id ?? null;
  return (
    <Page
      crumbs={[{ label: 'Lessons', href: '/lessons' }, { label: 'Review' }]}
      actions={<span className="text-ink-3 text-sm max-narrow:hidden">The next lesson opens after each decision</span>}
    >
      <ReviewView
        first={{ part, ...first }}
        lesson={chosen === null ? null : await findLesson(database, chosen)}
        counts={{ ...counts, contested: contested.length }}
        marks={{ assigned, contested }}
      />
    </Page>
  );
}
