import { CaseFilters, CasesTable } from '#components/datasets/cases-table.tsx';
import { DatasetHead } from '#components/datasets/dataset-head.tsx';
import { DATASET_TABS, DatasetTabs } from '#components/datasets/dataset-tabs.tsx';
import { HistoryInPage, ImportInPage } from '#components/datasets/lazy-tabs.tsx';
import { SplitsPane } from '#components/datasets/splits-pane.tsx';
import { address, Pager } from '#components/layout/pager.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { SPLITS } from '#lib/core/history.ts';
import type { Database } from '#lib/database/database.ts';
import { datasetUses, listCaseChanges, listCases, listDatasetVersions } from '#lib/datasets/queries.ts';
import type { DatasetRow } from '#lib/datasets/schema.ts';
import { formatCount } from '#lib/format.ts';
import { numberParam, searchParam } from '../search-param.ts';

type Params = Record<string, string | string[] | undefined>;
type OpenDatasetProps = { database: Database; dataset: DatasetRow; params: Params };

/** Renders one dataset with the tab named in the URL: cases, import, splits or history. */
export async function OpenDataset({ database, dataset, params }: OpenDatasetProps) {
  const path = `/datasets/${dataset.id}`;
  const tab = DATASET_TABS.find((part) => part === searchParam(params.tab)) ?? 'cases';
  const uses = (await datasetUses(database, [dataset.id])).get(dataset.id) ?? [];
  const usedBy = uses.map((use) => (use.kind === 'experiment' ? `${use.name} v${use.version}` : use.name));
  const { caseCount, latestVersion, train, validation, heldOut } = dataset;
  return (
    <>
      <DatasetHead dataset={dataset} usedBy={usedBy} />
      <DatasetTabs path={path} tab={tab} caseCount={caseCount} versions={latestVersion} />
      {tab === 'cases' ? <CasesPart database={database} dataset={dataset} path={path} params={params} /> : null}
      {tab === 'import' ? (
        <ImportInPage
          dataset={{ id: dataset.id, isDivided: train + validation + heldOut > 0 }}
          aftermath={`Existing runs keep their cases. The next batch over this dataset${usedBy[0] ? ` in ${usedBy[0]}` : ''} includes the new ones.`}
        />
      ) : null}
      {tab === 'splits' ? <SplitsPane dataset={dataset} /> : null}
      {tab === 'history' ? <HistoryPart database={database} dataset={dataset} path={path} params={params} /> : null}
    </>
  );
}

type PartProps = OpenDatasetProps & { path: string };

const PAGE_SIZE = 200;

async function CasesPart({ database, dataset, path, params }: PartProps) {
  const from = numberParam(params.cursor) ?? 0;
  const requestedVersion = numberParam(params.version);
  const version =
    requestedVersion !== null && requestedVersion >= 1 && requestedVersion < dataset.latestVersion
      ? requestedVersion
      : null;
  const search = (searchParam(params.find) ?? '').slice(0, 200);
  const named = searchParam(params.split);
  const split = [...SPLITS, 'undivided' as const].find((side) => side === named) ?? null;
  const filter = { version, search, split, tag: null };
  const { items, nextCursor, total } = await listCases(database, dataset.id, filter, {
    cursor: from,
    limit: PAGE_SIZE,
  });
  const [first, last] = [items.at(0), items.at(-1)];
  const linkParams = { find: search || null, split, version: version === null ? null : String(version) };
  return (
    <>
      {version === null ? null : (
        <Pane asChild className="border-b-0 pb-0 text-sm">
          <p>
            You are viewing version {version} of this dataset. <TextLink href={path}>View latest version</TextLink>
          </p>
        </Pane>
      )}
      <CaseFilters path={path} search={search} split={split} version={version} />
      {search !== '' || split !== null ? (
        <Pane asChild className="border-b-0 pt-2 pb-0 text-ink-2 text-sm">
          <p role="status">
            {total === 0 ? 'No cases match.' : `${formatCount(total)} of ${formatCount(dataset.caseCount)} cases.`}{' '}
            <TextLink href={address(path, { version: linkParams.version })}>Show all</TextLink>
          </p>
        </Pane>
      ) : null}
      <CasesTable
        key={`${from} ${search} ${split} ${version}`}
        datasetId={dataset.id}
        cases={items}
        version={version === null ? dataset.latestVersion : null}
      />
      {total > items.length ? (
        <Pager
          path={path}
          params={linkParams}
          cursor={from === 0 ? null : String(from)}
          nextCursor={nextCursor}
          words={
            first && last
              ? `${formatCount(first.number)} to ${formatCount(last.number)} of ${formatCount(total)}`
              : 'No cases here'
          }
        />
      ) : null}
    </>
  );
}

const VERSIONS = 30;
const CHANGES = 50;

async function HistoryPart({ database, dataset, path, params }: PartProps) {
  const before = numberParam(params.before);
  const from = numberParam(params.cursor) ?? 0;
  const { items, nextCursor } = await listDatasetVersions(database, dataset.id, { cursor: before, limit: VERSIONS });
  const chosen = Math.min(numberParam(params.version) ?? items[0]?.version ?? 1, dataset.latestVersion);
  const changes = await listCaseChanges(database, dataset.id, chosen, { cursor: from, limit: CHANGES });
  const more = { tab: 'history', version: String(chosen), cursor: changes.nextCursor };
  return (
    <HistoryInPage
      path={path}
      versions={items}
      older={nextCursor === null ? null : address(path, { tab: 'history', before: nextCursor })}
      chosen={chosen}
      changes={changes.items}
      more={changes.nextCursor === null ? null : address(path, more)}
    />
  );
}
