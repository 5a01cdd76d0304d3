import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { Pager } from '#components/layout/pager.tsx';
import { OutputHits } from '#components/search/output-hits.tsx';
import { SearchForm } from '#components/search/search-form.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { listExperimentNames } from '#lib/experiments/queries.ts';
import { isIndexing, searchOutputs } from '#lib/runs/search-outputs.ts';
import { idParam, type SearchParams, searchParam } from '../search-param.ts';

const PAGE_SIZE = 20;
const MAX_QUERY_LENGTH = 200;

export default async function SearchPage({ searchParams }: { searchParams: SearchParams }) {
  await authorizePage('/search');
  const params = await searchParams;
  const query = cleanText(searchParam(params.q) ?? '')
    .trim()
    .slice(0, MAX_QUERY_LENGTH);
  const experimentId = idParam(params.experiment);
  const cursor = searchParam(params.cursor);
  const { database } = await getAppContext();
  const [{ items, nextCursor }, experiments, isBehind] = await Promise.all([
    searchOutputs(database, { query, experimentId, cursor, limit: PAGE_SIZE }),
    listExperimentNames(database),
    isIndexing(database),
  ]);
  return (
    <Page crumbs={[{ label: 'Search' }]}>
      <PageHead title="Search in outputs" facts={<span>Ended runs, newest first, without tuning runs</span>} />
      <SearchForm query={query} experimentId={experimentId} experiments={experiments} />
      {isBehind ? (
        <Notice className="m-4">Some runs that just ended are not searchable yet. Try again in a few seconds.</Notice>
      ) : null}
      {items.length > 0 ? (
        <OutputHits hits={items} />
      ) : (
        <Pane className="border-b-0" data-testid="no-hits">
          <p className="font-semibold">
            {query === '' ? 'Search in cases and outputs' : 'No run contains all these words'}
          </p>
          <p className="mt-0.5 text-ink-2">
            {query === ''
              ? 'Enter words from a case or an output above.'
              : 'Try fewer words, or only their first letters.'}
          </p>
        </Pane>
      )}
      <Pager path="/search" params={{ q: query, experiment: experimentId }} cursor={cursor} nextCursor={nextCursor} />
    </Page>
  );
}
