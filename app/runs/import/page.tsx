import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { ImportRuns } from '#components/run-import/import-runs.tsx';
import { LineFormat } from '#components/run-import/line-format.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';

export default async function ImportRunsPage() {
  await authorizePage('/runs/import');
  return (
    <Page crumbs={[{ label: 'Runs', href: '/runs' }, { label: 'Import runs' }]}>
      <PageHead
        title="Import runs"
        facts={
          <span className="whitespace-normal">
            Import past runs of other systems to chart and compare them and to learn lessons from them. Hone creates a
            new experiment for them.
          </span>
        }
      />
      <Columns from="roomy" className="roomy:grid-cols-[minmax(0,1fr)_22.5rem]">
        <Pane>
          <ImportRuns />
        </Pane>
        <Pane>
          <LineFormat />
        </Pane>
      </Columns>
    </Page>
  );
}
