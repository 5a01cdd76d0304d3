import type { ReactNode } from 'react';
import { toRunTableRow } from '#components/experiment/runs-pane.tsx';
import { RunsTable } from '#components/experiment/runs-table.tsx';
import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { address, Pager } from '#components/layout/pager.tsx';
import { RunsFilters } from '#components/runs/runs-filters.tsx';
import { isRunsFiltered, type RunsView, readingLabel, readRunsView, runsParams } from '#components/runs/runs-view.ts';
import { StopAllButton } from '#components/runs/stop-all-button.tsx';
import { Button } from '#components/ui/button.tsx';
import { Link, TextLink } from '#components/ui/link.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { listExperimentNames } from '#lib/experiments/queries.ts';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import { INSIGHT_DAYS, type InsightScope, insightScope } from '#lib/insights/find-insights.ts';
import { listInsightRuns } from '#lib/insights/list-insight-runs.ts';
import { listRuns, type RunRow } from '#lib/runs/list-runs.ts';
import { countUnfinished, findStopAll, stateOf } from '#lib/runs/stop-runs.ts';
import { type SearchParams, searchParam } from '../search-param.ts';

const PAGE_SIZE = 50;
const DAY_MS = 24 * 60 * 60_000;

export default async function RunsPage({ searchParams }: { searchParams: SearchParams }) {
  await authorizePage('/runs');
  const params = await searchParams;
  const view = readRunsView((name) => searchParam(params[name]));
  const cursor = searchParam(params.cursor);
  const { database } = await getAppContext();
  const [listed, experiments, unfinished, lastStop] = await Promise.all([
    listViewed(view, cursor),
    listExperimentNames(database),
    countUnfinished(database),
    findStopAll(database),
  ]);
  const underWay = lastStop === null || lastStop.doneAt !== null ? null : stateOf(lastStop);
  const practised = new Set(experiments.filter(({ practice }) => practice).map(({ id }) => id));
  const isPractice = listed.items.length > 0 && listed.items.every((run) => practised.has(run.experimentId));
  const rows = listed.items.map((run) =>
    toRunTableRow(
      practised.has(run.experimentId) && !isPractice
        ? { ...run, experimentName: `${run.experimentName} (practice)` }
        : run,
    ),
  );
  return (
    <Page crumbs={[{ label: 'Runs' }]} practice={isPractice}>
      <PageHead
        title={view.reading === null ? 'Runs' : readingLabel(view.reading)}
        facts={listed.facts}
        actions={<StopAllButton counts={unfinished} underWay={underWay} />}
      />
      <RunsFilters view={view} experiments={experiments} />
      {listed.items.length > 0 ? (
        <RunsTable key={`${JSON.stringify(view)} ${cursor}`} rows={rows} named={view.experiment === null} />
      ) : (
        <Pane className="border-b-0" data-testid="runs-empty">
          <p className="font-semibold">{isRunsFiltered(view) ? 'No runs match' : 'No runs yet'}</p>
          <p className="mt-0.5 mb-3 text-ink-2">
            {isRunsFiltered(view) ? 'Change or clear the filters.' : 'Runs appear here once you start an experiment.'}
          </p>
          <Button asChild>
            {isRunsFiltered(view) ? (
              <Link href="/runs">Clear filters</Link>
            ) : (
              <Link href="/experiments">View experiments</Link>
            )}
          </Button>
        </Pane>
      )}
      <Pager path="/runs" params={runsParams(view)} cursor={cursor} nextCursor={listed.nextCursor} />
    </Page>
  );
}

type Listed = { items: RunRow[]; nextCursor: string | null; facts: ReactNode };

async function listViewed(view: RunsView, cursor: string | null): Promise<Listed> {
  const { database, now } = await getAppContext();
  const { reading, experiment: experimentId, version, status, reason, models, days, q: text } = view;
  if (reading === null) {
    const since = days === null ? null : new Date(now().getTime() - days * DAY_MS);
    const page = await listRuns(database, {
      experimentId,
      version,
      status,
      reason,
      text,
      since,
      cursor,
      limit: PAGE_SIZE,
    });
    return { ...page, facts: null };
  }
  const scope = await insightScope(
    database,
    { experimentId, models, days: INSIGHT_DAYS.find((count) => count === days) ?? null },
    now(),
  );
  const { total, counts, ...page } = await listInsightRuns(database, scope, { reading, cursor, limit: PAGE_SIZE });
  return { ...page, facts: <Facts scope={scope} view={view} total={total} counts={counts} /> };
}

function Facts({ scope, view, total, counts }: { scope: InsightScope; view: RunsView; total: number; counts: number }) {
  const { experiment, models, days } = view;
  return (
    <>
      <span>
        <b>{formatCount(total)}</b> of {formatNumberOf(counts, 'run')} that count
      </span>
      <span>{formatNumberOf(scope.arms.length, 'experiment')}, newest settings with ended runs</span>
      {days === null ? null : <span>the last {days} days</span>}
      <TextLink href={address('/insights', runsParams({ experiment, models, days }))}>Insights</TextLink>
    </>
  );
}
