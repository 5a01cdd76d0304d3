import { notFound } from 'next/navigation';
import { CasesTable } from '#components/datasets/cases-table.tsx';
import { Page } from '#components/shell/page.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { Pager } from '#components/shell/pager.tsx';
import { DeleteButton } from '#components/ui/delete-button.tsx';
import { findDataset } from '#lib/db/find-dataset.ts';
import { formatCount, formatMoment, formatNumberOf } from '#lib/format.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { readPageId } from '../../read-page-id.ts';
import { type SearchParams, searchParam } from '../../search-param.ts';
import { removeDataset } from '../actions.ts';

type DatasetPageProps = { params: Promise<{ id: string }>; searchParams: SearchParams };

/** Cases on one page. */
const PAGE = 200;

export default async function DatasetPage({ params, searchParams }: DatasetPageProps) {
  await authorize({ name: 'page /datasets/{id}', role: 'viewer' });
  const id = await readPageId(params);
  const { database } = await getWorkshop();
  const cursor = searchParam((await searchParams).cursor) ?? '';
  const from = /^\d{1,9}$/.test(cursor) ? Number(cursor) : 0;
  const dataset = await findDataset(database, id, PAGE, from);
  if (dataset === null) notFound();
  const last = from + dataset.cases.length;
  return (
    <Page crumbs={[{ label: 'Datasets', href: '/datasets' }, { label: dataset.name }]}>
      <PageHead
        title={dataset.name}
        facts={
          <>
            <span>{formatNumberOf(dataset.caseCount, 'case')}</span>
            <span>imported {formatMoment(dataset.createdAt)}</span>
          </>
        }
        actions={
          <DeleteButton
            name={dataset.name}
            what={`The dataset and its ${formatNumberOf(dataset.caseCount, 'case')}`}
            remove={removeDataset.bind(null, id)}
            goTo="/datasets"
          />
        }
      />
      <CasesTable key={from} cases={dataset.cases} from={from} />
      {dataset.caseCount > dataset.cases.length ? (
        <Pager
          path={`/datasets/${id}`}
          params={{}}
          cursor={from === 0 ? null : String(from)}
          nextCursor={last < dataset.caseCount ? String(last) : null}
          words={
            dataset.cases.length > 0
              ? `${formatCount(from + 1)} to ${formatCount(last)} of ${formatCount(dataset.caseCount)}`
              : 'No cases here'
          }
        />
      ) : null}
    </Page>
  );
}
