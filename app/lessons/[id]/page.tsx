import { notFound } from 'next/navigation';
import { Page } from '#components/layout/page.tsx';
import { LessonView } from '#components/lessons/lesson-view.tsx';
import { lessonTitle } from '#components/lessons/lesson-words.ts';
import { findLesson } from '#lib/db/find-lesson.ts';
import { formatTitle } from '#lib/format.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorizePage } from '#lib/team/authorize.ts';
import { readPageId } from '../../read-page-id.ts';
import { LESSON_ACTIONS } from '../lesson-actions.ts';

export default async function LessonPage({ params }: { params: Promise<{ id: string }> }) {
  await authorizePage('/lessons/{id}');
  const id = await readPageId(params);
  const { database, now } = await getWorkshop();
  const lesson = await findLesson(database, id);
  if (lesson === null) notFound();
  const title = formatTitle(lessonTitle(lesson), 60) || 'An empty lesson';
  return (
    <Page crumbs={[{ label: 'Lessons', href: '/lessons' }, { label: title }]}>
      <LessonView key={id} lesson={lesson} actions={LESSON_ACTIONS} now={now().toISOString()} />
    </Page>
  );
}
