import { Plus } from 'lucide-react';
import Link from 'next/link';
import { Page } from '#components/shell/page.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { Pager } from '#components/shell/pager.tsx';
import { Button } from '#components/ui/button.tsx';
import { TimeAgo } from '#components/ui/time-ago.tsx';
import { listDatasets } from '#lib/db/list-datasets.ts';
import { formatCount } from '#lib/format.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { type SearchParams, searchParam } from '../search-param.ts';

export default async function DatasetsPage({ searchParams }: { searchParams: SearchParams }) {
  await authorize({ name: 'page /datasets', role: 'viewer' });
  const cursor = searchParam((await searchParams).cursor);
  const { database, now } = await getWorkshop();
  const { items, nextCursor } = await listDatasets(database, { cursor, limit: 50 });
  const moment = now().toISOString();
  return (
    <Page crumbs={[{ label: 'Datasets' }]}>
      <PageHead
        title="Datasets"
        actions={
          <Button asChild variant="primary">
            <Link href="/datasets/new">
              <Plus className="i s" aria-hidden />
              Import cases
            </Link>
          </Button>
        }
      />
      {items.length > 0 ? (
        <table className="t hover edge">
          <thead>
            <tr>
              <th scope="col">Dataset</th>
              <th scope="col" className="num">
                Cases
              </th>
              <th scope="col">Imported</th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ id, name, caseCount, createdAt }) => (
              <tr key={id}>
                <td className="wrap-anywhere">
                  <Link className="md5" href={`/datasets/${id}`}>
                    {name}
                  </Link>
                </td>
                <td className="num">{formatCount(caseCount)}</td>
                <td className="sm muted">
                  <TimeAgo moment={createdAt} now={moment} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <section className="pane">
          <p className="b">No datasets yet</p>
          <p className="muted mt-0.5 mb-3">A dataset is a list of cases; an experiment runs once over each.</p>
          <Button asChild>
            <Link href="/datasets/new">Import cases</Link>
          </Button>
        </section>
      )}
      <Pager path="/datasets" params={{}} cursor={cursor} nextCursor={nextCursor} />
    </Page>
  );
}
