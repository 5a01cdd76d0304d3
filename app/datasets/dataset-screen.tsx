import { Download, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { RoleLink } from '#components/access/role-link.tsx';
import { DatasetList } from '#components/datasets/dataset-list.tsx';
import { ChooseDataset } from '#components/datasets/dataset-select.tsx';
import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { address } from '#components/layout/pager.tsx';
import { Button } from '#components/ui/button.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { Pane } from '#components/ui/pane.tsx';
import type { Database } from '#lib/database/database.ts';
import { countDatasets, datasetUses, listDatasets } from '#lib/datasets/queries.ts';
import type { DatasetRow } from '#lib/datasets/schema.ts';
import { formatCount } from '#lib/format.ts';

type ScreenProps = {
  database: Database;
  /** The open dataset. Null on the overview, which offers the newest one. */
  open: DatasetRow | null;
  path: string;
  search: string;
  cursor: string | null;
  children: ReactNode;
};

const PAGE_SIZE = 50;

/** Renders the list of all datasets beside the open one. */
export async function DatasetScreen({ database, open, path, search, cursor, children }: ScreenProps) {
  const [list, totals] = await Promise.all([
    listDatasets(database, { cursor, limit: PAGE_SIZE, search }),
    countDatasets(database),
  ]);
  const uses = await datasetUses(
    database,
    list.items.map(({ id }) => id),
  );
  const datasets = list.items.map((dataset) => ({ ...dataset, usedBy: uses.get(dataset.id)?.[0]?.name ?? null }));
  const unused = datasets.filter(({ usedBy }) => usedBy === null).length;
  const next =
    list.nextCursor === null ? null : address('/datasets', { cursor: list.nextCursor, search: search || null });
  return (
    <Page
      crumbs={
        open === null ? [{ label: 'Datasets' }] : [{ label: 'Datasets', href: '/datasets' }, { label: open.name }]
      }
    >
      <PageHead
        title="Datasets"
        facts={
          <>
            <span>
              <b>{formatCount(totals.datasets)}</b> {totals.datasets === 1 ? 'dataset' : 'datasets'},{' '}
              <b>{formatCount(totals.cases)}</b> {totals.cases === 1 ? 'case' : 'cases'}
            </span>
            <span>
              <b>{formatCount(totals.heldOut)}</b> held out
            </span>
            {totals.datasets > PAGE_SIZE || search !== '' || cursor !== null || totals.datasets === 0 ? null : (
              <span>{unused === 0 ? 'all used' : `${formatCount(unused)} not used yet`}</span>
            )}
          </>
        }
        actions={
          <>
            {open === null ? null : (
              <>
                <Button asChild variant="ghost">
                  <a href={`/api/v1/datasets/${open.id}/export?format=jsonl`} download>
                    <Download />
                    Export JSONL
                  </a>
                </Button>
                <Button asChild variant="ghost">
                  <a href={`/api/v1/datasets/${open.id}/export?format=csv`} download>
                    <Download />
                    Export CSV
                  </a>
                </Button>
              </>
            )}
            <RoleLink needs="editor" href="/datasets/new">
              <Plus />
              New dataset
            </RoleLink>
          </>
        }
      />
      <Columns
        from="narrow"
        className="following:border-t-0 flex-1 medium:grid-cols-[21rem_minmax(0,1fr)] narrow:grid-cols-[16rem_minmax(0,1fr)] border-b-0"
      >
        <section aria-label="All datasets" className="min-w-0 max-narrow:hidden">
          <DatasetList datasets={datasets} current={open?.id ?? null} path={path} search={search} next={next} />
        </section>
        <div className="flex min-w-0 flex-col">
          {datasets.length === 0 ? null : (
            <Pane className="narrow:hidden border-b-0 pb-0">
              <ChooseDataset datasets={datasets} current={open?.id ?? null} />
            </Pane>
          )}
          {children}
        </div>
      </Columns>
    </Page>
  );
}
