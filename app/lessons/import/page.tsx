import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { ImportLessons } from '#components/lessons/import-lessons.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';

export default async function ImportLessonsPage() {
  await authorizePage('/lessons/import');
  return (
    <Page crumbs={[{ label: 'Lessons', href: '/lessons' }, { label: 'Import' }]}>
      <PageHead
        title="Import lessons"
        facts={
          <span>
            Imported lessons are candidates for review. If a line is invalid, Hone shows its file and number and imports
            nothing.
          </span>
        }
      />
      <Pane className="border-b-0">
        <ImportLessons />
      </Pane>
    </Page>
  );
}
