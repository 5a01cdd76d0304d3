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
        facts={<span>If a line is invalid, Hone shows its number and imports nothing.</span>}
      />
      <ImportPane
        dataset={null}
        aftermath="After the import, an experiment can run over all cases or tune a prompt on them."
      />
    </Page>
  );
}
