import { notFound } from 'next/navigation';
import { authorizePage } from '#lib/auth/authorize.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { findDataset } from '#lib/datasets/queries.ts';
import { readPageId } from '../../read-page-id.ts';
import { type IdPageProps, searchParam } from '../../search-param.ts';
import { DatasetScreen } from '../dataset-screen.tsx';
import { OpenDataset } from '../open-dataset.tsx';

export default async function DatasetPage({ params, searchParams }: IdPageProps) {
  await authorizePage('/datasets/{id}');
  const id = await readPageId(params);
  const { database } = await getAppContext();
  const dataset = await findDataset(database, id, 0);
  if (dataset === null) notFound();
  const shown = await searchParams;
  return (
    <DatasetScreen
      database={database}
      open={dataset}
      path={`/datasets/${id}`}
      search={(searchParam(shown.search) ?? '').slice(0, 200)}
      cursor={null}
    >
      <OpenDataset database={database} dataset={dataset} params={shown} />
    </DatasetScreen>
  );
}
