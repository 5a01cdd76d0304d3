import { notFound } from 'next/navigation';
import { Page } from '#components/shell/page.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { DeleteButton } from '#components/ui/delete-button.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { findDataset } from '#lib/db/find-dataset.ts';
import { formatMoment, formatNumberOf } from '#lib/format.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { readPageId } from '../../read-page-id.ts';
import { removeDataset } from '../actions.ts';

export default async function DatasetPage({ params }: { params: Promise<{ id: string }> }) {
  await authorize({ name: 'page /datasets/{id}', role: 'viewer' });
  const id = await readPageId(params);
  const { database } = await getWorkshop();
  const dataset = await findDataset(database, id);
  if (dataset === null) notFound();
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
      <ScrollX label="Cases">
        <table className="t edge">
          <thead>
            <tr>
              <th scope="col" className="num">
                №
              </th>
              <th scope="col">Input</th>
              <th scope="col">Reference</th>
              <th scope="col" className="opt">
                Tags
              </th>
            </tr>
          </thead>
          <tbody>
            {dataset.cases.map(({ input, reference, tags }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cases stand in a fixed order
              <tr key={index}>
                <td className="num faint align-top">{index + 1}</td>
                <td className="whitespace-pre-wrap wrap-anywhere">{input}</td>
                <td className="wrap-anywhere">{reference ?? <span className="faint">none</span>}</td>
                <td className="opt sm muted">{tags.join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
      {dataset.caseCount > dataset.cases.length ? (
        <p className="pane sm faint border-b-0 py-3">The first {dataset.cases.length} are shown; runs take all.</p>
      ) : null}
    </Page>
  );
}
