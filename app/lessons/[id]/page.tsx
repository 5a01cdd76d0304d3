import { notFound } from 'next/navigation';
import { Page } from '#components/layout/page.tsx';
import { lessonTitle } from '#components/lessons/lesson-labels.ts';
import { LessonView } from '#components/lessons/lesson-view.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { formatTitle } from '#lib/format.ts';
import { findLesson } from '#lib/lessons/queries.ts';
import { readPageId } from '../../read-page-id.ts';

export default async function LessonPage({ params }: { params: Promise<{ id: string }> }) {
  await authorizePage('/lessons/{id}');
  const id = await readPageId(params);
  const { database } = await getAppContext();
  const lesson = await findLesson(database, id);
  if (lesson === null) notFound();
  const title = formatTitle(lessonTitle(lesson), 60) || 'An empty lesson';
  return (
    <Page crumbs={[{ label: 'Lessons', href: '/lessons' }, { label: title }]}>
      <LessonView key={id} lesson={lesson} />
    </Page>
  );
}
