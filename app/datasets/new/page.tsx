import { ImportPane } from '#components/datasets/import-pane.tsx';
import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';

export default async function NewDatasetPage() {
  await authorizePage('/datasets/new');
  return (
    <Page crumbs={[{ label: 'Datasets', href: '/datasets' }, { label: 'New' }]}>
      <PageHead
        title="New dataset"
        facts={<span>A line that is wrong is named by its number, and then nothing is stored.</span>}
      />
      <ImportPane
        dataset={null}
        aftermath="An experiment can then run over all of its cases, or tune a prompt on them."
      />
    </Page>
  );
}
