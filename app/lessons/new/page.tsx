import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { AddLesson } from '#components/lessons/lesson-form.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';

export default async function NewLessonPage() {
  await authorizePage('/lessons/new');
  return (
    <Page crumbs={[{ label: 'Lessons', href: '/lessons' }, { label: 'Add' }]}>
      <PageHead title="Add a lesson" facts={<span>Runs can recall it once a reviewer promotes it.</span>} />
      <Pane className="border-b-0">
        <AddLesson />
      </Pane>
    </Page>
  );
}
