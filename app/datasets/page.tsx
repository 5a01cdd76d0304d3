import { RoleLink } from '#components/access/role-link.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { findDataset, listDatasets } from '#lib/datasets/queries.ts';
import { type SearchParams, searchParam } from '../search-param.ts';
import { DatasetScreen } from './dataset-screen.tsx';
import { OpenDataset } from './open-dataset.tsx';

/** Renders the list of all datasets with the newest one open. */
export default async function DatasetsPage({ searchParams }: { searchParams: SearchParams }) {
  await authorizePage('/datasets');
  const params = await searchParams;
  const [cursor, search] = [searchParam(params.cursor), (searchParam(params.search) ?? '').slice(0, 200)];
  const { database } = await getAppContext();
  const { items } = await listDatasets(database, { cursor, limit: 1, search });
  const newest = items[0] ? await findDataset(database, items[0].id, 0) : null;
  return (
    <DatasetScreen database={database} open={newest} path="/datasets" search={search} cursor={cursor}>
      {newest === null ? (
        <Pane className="border-b-0">
          <p className="font-semibold">{search === '' ? 'No datasets yet' : 'No datasets match'}</p>
          <p className="mt-0.5 mb-3 text-ink-2">A dataset is a list of cases. An experiment runs over each of them.</p>
          {search === '' ? (
            <RoleLink needs="editor" href="/datasets/new">
              Import cases
            </RoleLink>
          ) : (
            <RoleLink needs="viewer" href="/datasets">
              Show all datasets
            </RoleLink>
          )}
        </Pane>
      ) : (
        <OpenDataset database={database} dataset={newest} params={{}} />
      )}
    </DatasetScreen>
  );
}
