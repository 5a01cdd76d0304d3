'use client';

import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { type ComponentProps, type ReactNode, useEffect } from 'react';
import { submitApi } from '#components/api/call-api.ts';
import { agentStepsOf, unfinishedSteps } from '#components/run/agents/agent-steps.ts';
import { AgentTimeline } from '#components/run/agents/agent-timeline.tsx';
import { Button } from '#components/ui/button.tsx';
import { ChartLegend } from '#components/ui/chart.tsx';
import { type PictureTexts, sourceLine } from '#components/ui/chart-picture.ts';
import { loadOrRetry } from '#components/ui/load-or-retry.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { SharePicture } from '#components/ui/share-picture.tsx';
import type { DecidedBy } from '#lib/core/history.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatDay, formatNumberOf, formatRunNumber, formatTitle } from '#lib/format.ts';
import { isSelfJudged } from '#lib/runs/run-facts.ts';
import type { RunLessons } from '#lib/runs/schema.ts';
import type { RescoreReport } from '#lib/statistics/rescore-report.ts';
import { BestRules } from './best-version-rules.tsx';
import { DECIDER_NAMES } from './decision-labels.ts';
import { DecisionList } from './decision-list.tsx';
import { unscoredEnd } from './evaluation-labels.ts';
import { Critiques, EvaluationPane } from './evaluation-pane.tsx';
import { IssueLedger } from './issue-ledger.tsx';
import { JudgeTrust, useRescores } from './judge-trust.tsx';
import { LessonsPane, RetrospectivePane, useRunLessons } from './lessons-pane.tsx';
import { LiveStrip } from './live-strip.tsx';
import { OutputPane, TaskPane } from './output-pane.tsx';
import type { RunActions } from './run-actions.ts';
import { RunAnswerBar } from './run-answer-bar.tsx';
import { RunHead } from './run-head.tsx';
import { type BranchOfRun, FailureNotice, RunColumns, RunNotices, useRunPage } from './run-page.tsx';
import { currentScore, isEnded } from './run-versions.ts';
import { ScoreChart } from './score-chart.tsx';
import { type StoredScores, useWhatIf, type WhatIfState, whatIfLabel } from './use-what-if.ts';
import { VersionList } from './version-list.tsx';

const WhatIfPanel = dynamic(() => loadOrRetry(() => import('./what-if-panel.tsx').then((file) => file.WhatIfPanel)), {
  ssr: false,
});

type RunViewProps = {
  initial: RunRecord;
  experimentName: string;
  settings: ExperimentSettings;
  actions: RunActions;
  scores: StoredScores;
  rescores: RescoreReport[];
  branches: BranchOfRun[];
  lessons: RunLessons;
  /** Warnings from the model calls of the run. */
  warnings: ReactNode;
  /** Notes that people wrote on the run. */
  notes: ReactNode;
};

/** Live run page: the history on the left, the chosen version on the right, and the pending decision at the bottom. */
export function RunView({
  initial,
  experimentName,
  settings,
  actions,
  scores,
  rescores,
  branches,
  lessons: initialLessons,
  warnings,
  notes,
}: RunViewProps) {
  const { record, liveText, refresh, isOutdated, state, version, answer } = useRunPage({
    initial,
    look: ({ waitingFor }) => (waitingFor?.hook === 'onRevision' ? REVISION_VIEW : undefined),
  });
  const selected = version?.number ?? null;
  const whatIf = useWhatIf(record, settings, scores);
  const lessons = useRunLessons(record, initialLessons);
  const { reports, refresh: refreshRescores } = useRescores(record.id, rescores);
  useReloadOnRest(record, scores.event);
  const underWay = unfinishedSteps(record);
  const way = version ? agentStepsOf(record, version.number) : null;
  const { decisions } = answer;
  const { isBusy, send } = decisions;
  const resume = () => send(actions.resume(), 'Continuing');
  const rescore = (number: number, times: number) =>
    send(
      submitApi('POST /api/v1/runs/{id}/versions/{number}/rescore', {
        params: { id: record.id, number },
        body: { times },
      }),
      `v${number} is scored again`,
    ).then(refreshRescores);

  return (
    <>
      <RunHead
        record={record}
        settings={settings}
        version={version}
        decisions={decisions}
        actions={actions}
        onResume={resume}
        onScore={version && version.evaluations.length > 0 ? () => answer.setDialog('score') : null}
        canBranch={canBranch(version, settings)}
        isWhatIf={whatIf.isOpen}
        onWhatIf={whatIf.isOpen ? whatIf.close : whatIf.open}
      />
      <RunNotices
        record={record}
        isOutdated={isOutdated}
        branches={branches}
        decisions={decisions}
        warnings={warnings}
        onResume={resume}
      />
      <RunColumns>
        <div className="flex flex-col">
          <FailureNotice record={record} isBusy={isBusy} onResume={resume} />
          <LiveStrip record={record} settings={settings} liveText={liveText} />
          <ScorePane
            record={record}
            settings={settings}
            selected={selected}
            onSelect={state.setVersion}
            whatIf={markOf(whatIf, record, settings)}
            texts={pictureTexts(record, settings, experimentName)}
          />
          <div className="border-line border-b empty:border-b-0 max-medium:order-4">
            <VersionList record={record} selected={selected} onSelect={state.setVersion} />
          </div>
          <DecisionList record={record} />
          <IssueLedger record={record} selected={selected} />
          <BestRules record={record} settings={settings} />
        </div>
        <div className="flex flex-col">
          {whatIf.isFailed ? <WhatIfError state={whatIf} /> : null}
          {whatIf.outcome && record.versions.length > 0 ? (
            <WhatIfPanel record={record} settings={settings} state={whatIf} outcome={whatIf.outcome} />
          ) : null}
          {underWay ? (
            <AgentTimeline
              key={`way ${underWay.way.version}`}
              runId={record.id}
              {...underWay}
              order="max-medium:order-1"
            />
          ) : null}
          {version ? (
            <>
              <OutputPane record={record} version={version} state={state} canTake={record.status === 'waiting'} />
              {way ? (
                <AgentTimeline
                  key={`way ${way.version}`}
                  runId={record.id}
                  way={way}
                  title={`Agent work on v${way.version}`}
                  isLive={false}
                  order="max-medium:order-2"
                />
              ) : null}
              <EvaluationPane record={record} version={version} settings={settings} answer={answer} refresh={refresh} />
              <JudgeTrust
                key={version.number}
                version={version}
                settings={settings}
                report={reports.find((report) => report.version === version.number)}
                isBusy={isBusy}
                onRescore={(times) => rescore(version.number, times)}
              />
              <LessonsPane record={record} version={version} lessons={lessons} />
              {isEnded(record) ? <RetrospectivePane runId={record.id} settings={settings} /> : null}
            </>
          ) : (
            <>
              <EndCritiques record={record} />
              <LessonsPane record={record} version={null} lessons={lessons} />
            </>
          )}
          <TaskPane record={record} settings={settings} />
          <div className="max-medium:order-7">{notes}</div>
        </div>
      </RunColumns>
      <RunAnswerBar record={record} version={version} settings={settings} answer={answer} />
    </>
  );
}

/** Error of a what-if whose code could not be loaded. */
function WhatIfError({ state }: { state: WhatIfState }) {
  return (
    <Notice
      tone="worse"
      alert
      title="What if could not be loaded"
      className="mx-6 my-3 max-[760px]:mx-4"
      actions={
        <>
          <Button size="small" onClick={state.retry}>
            Try again
          </Button>
          <Button size="small" onClick={state.close}>
            Close
          </Button>
        </>
      }
    >
      Check the connection, then try again. If Hone was updated, reload the page.
    </Notice>
  );
}

/** Chart of the score of each version. `texts`: texts around the chart in its exported picture. */
function ScorePane({ texts, ...chart }: ComponentProps<typeof ScoreChart> & { texts: PictureTexts }) {
  const { record, settings } = chart;
  const unscored = unscoredEnd(record, settings.mode);
  return (
    <Pane className="pb-3 max-medium:order-1">
      <PaneHeader title="Score by version" className="mb-0">
        <span className="text-ink-3 text-sm">
          0 to 1, against a threshold of {settings.qualityThreshold.toFixed(2)}
          {record.versions.length > 0 && isSelfJudged(settings) ? ' ⚠ the model judged its own text' : ''}
        </span>
        {record.versions.length > 0 ? <SharePicture of="the score by version" texts={texts} /> : null}
      </PaneHeader>
      {record.versions.length > 0 ? (
        <>
          <ScoreChart {...chart} />
          <ChartKey record={record} />
          {unscored === null ? null : (
            <Notice tone="worse" title="No result." className="mt-2">
              {unscored}
            </Notice>
          )}
        </>
      ) : (
        <p className="py-4 text-ink-2">
          {isEnded(record) ? 'No versions.' : 'No versions yet. The first one appears here once it is scored.'}
        </p>
      )}
    </Pane>
  );
}

/** A revision that waits for review is shown as a diff against its parent, unless the URL sets another view. */
const REVISION_VIEW = { view: 'diff', layout: 'split' } as const;

/** Returns the texts around the chart in its exported picture. */
function pictureTexts(record: RunRecord, settings: ExperimentSettings, experimentName: string): PictureTexts {
  const scored = record.versions.filter((version) => currentScore(version) !== null).length;
  const versions = formatNumberOf(record.versions.length, 'version');
  return {
    title: formatTitle(record.case.input) || 'An empty case',
    notes: [
      `Score by version, 0 to 1, against a threshold of ${settings.qualityThreshold.toFixed(2)}.`,
      `n = 1 run, ${versions}, ${scored} scored. One run has no interval.`,
    ],
    source: sourceLine([
      ...(record.practice ? ['Practice data'] : []),
      `${experimentName} v${record.experimentVersion}`,
      `run ${formatRunNumber(record.number)}`,
      formatDay(record.createdAt),
    ]),
  };
}

/** Returns the chart's marker for an open what-if. Null if the what-if changes nothing. */
function markOf({ outcome, isChanged }: WhatIfState, record: RunRecord, settings: ExperimentSettings) {
  if (outcome === null || !isChanged) return null;
  const moved = outcome.settings.qualityThreshold;
  return {
    outcome: outcome.would,
    labels: whatIfLabel(outcome.would, outcome.settings, record.finishedAt !== null),
    threshold: moved === settings.qualityThreshold ? null : moved,
    own: settings.qualityThreshold,
  };
}

/** Critiques that explain why no reflection was stored when the run ended. */
function EndCritiques({ record }: { record: RunRecord }) {
  const critiques = record.openCritiques.filter(({ trigger }) => trigger === 'run_end');
  return critiques.length === 0 ? null : (
    <Pane className="max-medium:order-3" aria-label="Reflection at the end" data-testid="end-critiques">
      <Critiques critiques={critiques} />
    </Pane>
  );
}

/** True if a run can start from this version: it has text, and the mode revises it. */
function canBranch(version: RunRecord['versions'][number] | undefined, { mode }: ExperimentSettings): boolean {
  return mode === 'revise' && version !== undefined && !version.outputDropped && version.output.trim() !== '';
}

function ChartKey({ record }: { record: RunRecord }) {
  const deciders = new Set<DecidedBy>(record.decisions.map(({ by }) => by));
  if (record.versions.some(({ evaluations }) => evaluations.some(({ by }) => by === 'person'))) deciders.add('person');
  deciders.delete('policy');
  if (deciders.size === 0) return null;
  return (
    <ChartLegend>
      <span>◆ {[...deciders].map((by) => DECIDER_NAMES[by]).join(' or ')}</span>
      <span>○ policy</span>
    </ChartLegend>
  );
}

/**
 * Reloads the page when a run that advanced since the page load comes to rest. Warnings and other data outside the record are then current.
 * `shownEvent`: last event of the run at page load.
 */
function useReloadOnRest({ status, lastEvent }: RunRecord, shownEvent: number): void {
  const router = useRouter();
  const isBehind = lastEvent > shownEvent && status !== 'queued' && status !== 'running';
  useEffect(() => {
    if (isBehind) router.refresh();
  }, [isBehind, router]);
}
