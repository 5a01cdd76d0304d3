import { Plus, Upload } from 'lucide-react';
import { RoleLink } from '#components/access/role-link.tsx';
import { CompareChosen } from '#components/compare/compare-checkbox.tsx';
import { ExperimentTable, type ExperimentTableRow } from '#components/experiment/experiment-table.tsx';
import { ExperimentsFilters, ExperimentsTabs, SaveView } from '#components/experiment/experiments-filters.tsx';
import {
  experimentsParams,
  experimentsQuery,
  isListFiltered,
  readExperimentsView,
} from '#components/experiment/experiments-view.ts';
import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { Pager } from '#components/layout/pager.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { personOf } from '#lib/auth/actor.ts';
import { authorizePage } from '#lib/auth/authorize.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { type ExperimentRow, listExperiments } from '#lib/experiments/list-experiments.ts';
import { countExperiments, type ExperimentCount } from '#lib/experiments/queries.ts';
import type { ExperimentMode } from '#lib/experiments/schema.ts';
import { formatNumberOf } from '#lib/format.ts';
import { wilsonInterval } from '#lib/statistics/intervals.ts';
import { listSavedViews } from '#lib/views/saved-views.ts';
import { type SearchParams, searchParam } from '../search-param.ts';
import { keepViewAction, removeKeptViewAction } from './actions.ts';

const PAGE_SIZE = 25;

export default async function ExperimentsPage({ searchParams }: { searchParams: SearchParams }) {
  const actor = await authorizePage('/experiments');
  const params = await searchParams;
  const view = readExperimentsView((name) => searchParam(params[name]));
  const cursor = searchParam(params.cursor);
  const { database } = await getAppContext();
  const [{ items, nextCursor }, counts, savedViews] = await Promise.all([
    listExperiments(database, { cursor, limit: PAGE_SIZE, ...view }),
    countExperiments(database),
    listSavedViews(database, personOf(actor), 'experiments'),
  ]);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const query = experimentsQuery(view);
  const isFiltered = isListFiltered(view);
  return (
    <Page crumbs={[{ label: 'Experiments' }]} practice={items.length > 0 && items.every((row) => row.practice)}>
      <PageHead
        title="Experiments"
        facts={<span>{formatNumberOf(total, 'experiment')}</span>}
        actions={
          <>
            <CompareChosen />
            <RoleLink needs="editor" variant="ghost" href="/runs/import">
              <Upload />
              Import runs
            </RoleLink>
            <RoleLink needs="editor" variant="primary" href="/experiments/new">
              <Plus />
              New experiment
            </RoleLink>
          </>
        }
      />
      <ExperimentsTabs
        view={view}
        total={total}
        waiting={counts.reduce((sum, { waiting }) => sum + waiting, 0)}
        savedViews={savedViews}
      />
      <Pane className="flex flex-wrap items-center gap-2 py-3">
        <ExperimentsFilters
          view={view}
          modes={countModes(counts)}
          models={[...new Set(counts.map(({ model }) => model))]}
        />
        {query === '' ? null : (
          <SaveView
            query={query}
            savedView={savedViews.find((candidate) => candidate.query === query) ?? null}
            save={keepViewAction}
            remove={removeKeptViewAction}
          />
        )}
      </Pane>
      {items.length > 0 ? (
        <ExperimentTable rows={items.map(toTableRow)} />
      ) : (
        <Pane>
          <p className="font-semibold">{noExperimentsLabel(view.search, isFiltered)}</p>
          <p className="mt-0.5 mb-3 text-ink-2">
            {isFiltered
              ? 'Change or clear the search and filters.'
              : 'Paste a prompt, enter an input, choose a model and select Run.'}
          </p>
          {isFiltered ? (
            <RoleLink needs="viewer" href="/experiments">
              Show all
            </RoleLink>
          ) : (
            <RoleLink needs="editor" href="/experiments/new">
              New experiment
            </RoleLink>
          )}
        </Pane>
      )}
      <Pager path="/experiments" params={experimentsParams(view)} cursor={cursor} nextCursor={nextCursor} />
      {items.length > 0 ? (
        <Pane asChild className="border-b-0 py-3 text-ink-3 text-sm">
          <p>
            A point is a gain of 0.10 from first to best score. Success is the share of ended runs that met the quality
            threshold or were accepted by a person. It has a 95% interval if each run is of a different case. The dotted
            line is the threshold.
          </p>
        </Pane>
      ) : null}
    </Page>
  );
}

/** Keeps only the fields the table shows, because they are sent to the browser. */
function toTableRow(row: ExperimentRow): ExperimentTableRow {
  const { createdAt, practice, costUsd, meanScores, recentScores, mayRepeatCases, ...shown } = row;
  const scores = meanScores.length > 0 ? meanScores : recentScores;
  return {
    ...shown,
    interval: mayRepeatCases ? null : wilsonInterval(row.solved, row.ended),
    scores: scores.map((score) => (score === null ? null : Math.round(score * 1_000) / 1_000)),
  };
}

function countModes(counts: readonly ExperimentCount[]): Record<ExperimentMode, number> {
  const modes = { revise: 0, retry: 0, tune: 0 };
  for (const { mode, count } of counts) modes[mode] += count;
  return modes;
}

function noExperimentsLabel(search: string, isFiltered: boolean): string {
  if (!isFiltered) return 'No experiments yet';
  return search === '' ? 'No experiments match' : `No experiment name contains “${search}”`;
}
