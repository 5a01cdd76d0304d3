import { CostList, EqualCostSection } from '#components/insights/cost-sections.tsx';
import { Headline, targetsHeadline } from '#components/insights/headline.tsx';
import { InsightsFilters } from '#components/insights/insights-filters.tsx';
import { readInsightsView } from '#components/insights/insights-view.ts';
import { JudgeSection } from '#components/insights/judge-section.tsx';
import { targetLabel } from '#components/insights/labels.ts';
import { ReviewersSection } from '#components/insights/reviewers-section.tsx';
import { ErrorsSection, TargetsTable } from '#components/insights/targets-and-errors.tsx';
import { TrendsSection } from '#components/insights/trends-section.tsx';
import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { Button } from '#components/ui/button.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { Link, TextLink } from '#components/ui/link.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import { findInsights, findTrends, type InsightScope, insightScope } from '#lib/insights/find-insights.ts';
import { findReviewers } from '#lib/insights/queries.ts';
import type { Insights } from '#lib/insights/schema.ts';
import { type SearchParams, searchParam } from '../search-param.ts';

export default async function InsightsPage({ searchParams }: { searchParams: SearchParams }) {
  await authorizePage('/insights');
  const params = await searchParams;
  const view = readInsightsView((name) => searchParam(params[name]));
  const { database, now } = await getAppContext();
  const scope = await insightScope(database, { ...view, experimentId: view.experiment }, now());
  const [{ report, models, equalCost }, reviewers, trends] = await Promise.all([
    findInsights(database, scope),
    findReviewers(database, { experimentId: view.experiment }),
    findTrends(database, scope, view.experiment, now()),
  ]);
  const thresholds = new Set(scope.arms.map(({ qualityThreshold }) => qualityThreshold));
  const [threshold = null] = thresholds.size === 1 ? thresholds : [];
  const largest = report.costs.toSorted((one, other) => other.gained - one.gained)[0] ?? null;
  return (
    <Page crumbs={[{ label: 'Insights' }]} practice={report.practice === 'all'}>
      <PageHead
        title="Insights"
        facts={<Facts report={report} />}
        actions={
          <InsightsFilters
            view={view}
            models={models}
            experiments={scope.choices.map(({ experimentId, name, practice }) => ({ experimentId, name, practice }))}
          />
        }
      />
      {report.ended === 0 ? (
        <>
          <Empty isFiltered={scope.choices.length > 0} />
          <ReviewersSection reviewers={reviewers} />
        </>
      ) : (
        <>
          {report.practice === 'some' ? (
            <Pane className="py-3">
              <Notice title="These numbers include practice data">
                Some of these experiments ran on the built-in practice model, whose scores and prices are made up.{' '}
                <TextLink href="/insights?of=real">Exclude them</TextLink>.
              </Notice>
            </Pane>
          ) : null}
          <TrendsSection trends={trends} of={scopeName(scope, models, view.experiment)} />
          <Columns className="medium:grid-cols-[minmax(0,1fr)_22rem]">
            <section className="min-w-0">
              <Pane className="border-b-0 pb-1">
                <PaneHeader title="Targets" note="Bars are 95% intervals. Ticks are targets." className="mb-0" />
                <Headline>
                  {targetsHeadline(
                    report.targets.map(({ target, verdict }) => ({
                      verdict,
                      title: targetLabel(target, report).title,
                    })),
                  )}
                </Headline>
              </Pane>
              <TargetsTable report={report} view={view} />
            </section>
            <CostList report={report} />
          </Columns>
          <JudgeSection report={report} view={view} threshold={threshold} />
          <ReviewersSection reviewers={reviewers} />
          <Columns className="flex-1 medium:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <ErrorsSection report={report} />
            <EqualCostSection panel={equalCost} candidate={largest} />
          </Columns>
        </>
      )}
    </Page>
  );
}

/** Returns the name of the scope of the trends, for the chart images. */
function scopeName({ choices }: InsightScope, models: Insights['models'], experimentId: string | null): string {
  if (experimentId !== null) return choices.find((one) => one.experimentId === experimentId)?.name ?? 'Experiment';
  return models === 'practice'
    ? 'Practice experiments'
    : models === 'real'
      ? 'All experiments'
      : 'All experiments and practice data';
}

function Facts({ report: { experiments, runs, ended, evaluations } }: Pick<Insights, 'report'>) {
  return (
    <>
      <span>
        <b>{formatCount(experiments)}</b> {experiments === 1 ? 'experiment' : 'experiments'}, newest settings with ended
        runs
      </span>
      <span>
        <b>{formatCount(runs)}</b> {runs === 1 ? 'run' : 'runs'}, <b>{formatCount(ended)}</b> ended
      </span>
      <span>
        <b>{formatNumberOf(evaluations, 'evaluation')}</b>
      </span>
    </>
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  return (
    <Pane className="border-b-0" data-testid="insights-empty">
      <p className="font-semibold">{isFiltered ? 'No ended runs match' : 'No ended runs yet'}</p>
      <p className="mt-0.5 mb-3 text-ink-2">
        {isFiltered
          ? 'Choose a longer time span or other experiments.'
          : 'This page shows targets, judges, errors and costs of ended runs.'}
      </p>
      <Button asChild>
        {isFiltered ? <Link href="/insights">Show all</Link> : <Link href="/experiments">View experiments</Link>}
      </Button>
    </Pane>
  );
}
