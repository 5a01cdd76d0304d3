import { ImportForm } from '#components/datasets/import-form.tsx';
import { Page } from '#components/shell/page.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { authorize } from '#lib/team/authorize.ts';
import { importDataset } from '../actions.ts';

export default async function NewDatasetPage() {
  await authorize({ name: 'page /datasets/new', role: 'editor' });
  return (
    <Page crumbs={[{ label: 'Datasets', href: '/datasets' }, { label: 'Import' }]}>
      <PageHead
        title="Import cases"
        facts={<span>A line that is wrong is named by its number, and then nothing is stored.</span>}
      />
      <section className="pane border-b-0">
        <ImportForm save={importDataset} />
      </section>
    </Page>
  );
}
