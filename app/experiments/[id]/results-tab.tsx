import { JudgeAgainstPeople } from '#components/blind/judge-against-people.tsx';
import { BatchFailureNotice } from '#components/experiment/batch-failure-notice.tsx';
import { BatchPanes } from '#components/experiment/batch-panes.tsx';
import { BatchProgress } from '#components/experiment/batch-progress.tsx';
import { BatchStats } from '#components/experiment/batch-stats.tsx';
import { ControlsPane } from '#components/experiment/controls-pane.tsx';
import { NextSteps, NoRunsPane } from '#components/experiment/next-steps.tsx';
import { type RunFilter, readRunFilter } from '#components/experiment/run-filter.ts';
import { RunsPane } from '#components/experiment/runs-pane.tsx';
import { SettingsChangePane } from '#components/experiment/settings-pane.tsx';
import { StartRunInPage } from '#components/experiment/start-run-dialog.tsx';
import { QueueReasons } from '#components/run/queue-note.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { findBatchQueuePosition } from '#lib/batches/queue-position.ts';
import { findAgreement } from '#lib/blind-review/blind-review.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { isPractice } from '#lib/core/to-run-record.ts';
import { type ExperimentView, findExperimentVersion } from '#lib/experiments/queries.ts';
import { formatNumberOf } from '#lib/format.ts';
import { type BatchFailure, type BatchView, findBatch, findBatchFailure, findTimeLeft } from '#lib/runs/batches.ts';
import { listRuns, listTrajectories } from '#lib/runs/list-runs.ts';
import { searchParam } from '../../search-param.ts';
import { type ExperimentTabProps, findChosenBatchId, settingsVersions } from './experiment-tab-props.ts';
import { readStartForm } from './read-start-form.ts';

/** Renders the results of one batch: progress, numbers, charts, runs, settings and judges. */
export async function ResultsTab({ experiment, path, query }: ExperimentTabProps) {
  const batchId = findChosenBatchId(experiment, searchParam(query.batch));
  const filter = readRunFilter(searchParam(query.status), searchParam(query.reason));
  const cursor = searchParam(query.cursor);
  const results =
    batchId === null
      ? null
      : await readResults(experiment, { batchId, filter, cursor, against: searchParam(query.against) });
  if (results === null) return <NothingYet experiment={experiment} />;
  const { batch, settings, older, drawn, runs, versions, latest, against, agreement, timeLeft, queued, failure } =
    results;
  const { report, counts } = batch;
  const heldCount = batch.held === null ? 0 : counts.queued + (batch.status === 'held' ? counts.running : 0);
  const missing = counts.failed + counts.stopped + heldCount;
  return (
    <>
      <BatchProgress
        total={batch.total}
        counts={{
          ...{ ended: report.ended, solved: report.solved, unscored: report.unscored },
          ...{ waiting: counts.waiting, missing, held: heldCount },
        }}
        cost={report}
        isUnderWay={batch.status === 'running'}
        timeLeft={timeLeft}
        batchId={batch.id}
        canResume={experiment.origin !== 'imported'}
      />
      {failure === null ? null : (
        <BatchFailureNotice
          path={path}
          batchId={batch.id}
          experimentId={experiment.id}
          failure={failure}
          held={heldCount}
        />
      )}
      {queued === null || heldCount > 0 ? null : (
        <QueueReasons
          position={queued}
          lead={
            queued.status === 'queued'
              ? `${formatNumberOf(counts.queued, 'run')} queued. The first one:`
              : `${formatNumberOf(counts.running, 'run')} running.`
          }
        />
      )}
      <BatchStats
        report={report}
        waiting={counts.waiting}
        older={older}
        isImported={experiment.origin === 'imported'}
      />
      {isFirstResult(experiment, report.ended) ? <NextSteps experimentId={experiment.id} /> : null}
      <Columns
        className={
          batch.total > 1
            ? 'medium:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_20.5rem]'
            : 'medium:grid-cols-[minmax(0,1fr)_minmax(0,30rem)]'
        }
      >
        <BatchPanes
          path={path}
          experiment={{ name: experiment.name, practice: isPractice(settings) }}
          batch={batch}
          older={older}
          drawn={drawn}
          settings={settings}
        />
      </Columns>
      <Columns from="roomy" className="flex-1 roomy:grid-cols-[minmax(0,1fr)_20rem]">
        <RunsPane path={path} batch={batch} runs={runs} filter={filter} cursor={cursor} settings={settings} />
        <div className="flex flex-col">
          <SettingsChangePane
            path={path}
            linkParams={{ batch: searchParam(query.batch), status: filter.show, reason: filter.reason }}
            versions={versions}
            latest={latest}
            against={against}
          />
          {canStartControl(experiment, batch.id) ? (
            <ControlsPane
              experimentId={experiment.id}
              batch={batch}
              settings={settings}
              controls={experiment.controls}
            />
          ) : null}
        </div>
      </Columns>
      {agreement ? (
        <JudgeAgainstPeople
          agreement={agreement}
          experimentId={experiment.id}
          settingsVersions={experiment.versions.length}
        />
      ) : null}
    </>
  );
}

/** True if the results come from the first start of the experiment. */
function isFirstResult({ origin, batches }: ExperimentView, ended: number): boolean {
  return origin === 'made' && batches.length === 1 && ended > 0;
}

/** True if a control can be started for the batch. Branches cannot have one. Controls and trials already are the other arm. */
function canStartControl({ origin, batches }: ExperimentView, batchId: string): boolean {
  return origin === 'made' && batches.some(({ id, isBranch }) => id === batchId && !isBranch);
}

function NothingYet({ experiment }: { experiment: ExperimentView }) {
  return (
    <Columns className="medium:grid-cols-[minmax(0,1fr)_minmax(0,30rem)]">
      <NoRunsPane latestVersion={experiment.latestVersion} next="Enter a case, then select Run." />
      <StartPane experiment={experiment} />
    </Columns>
  );
}

async function StartPane({ experiment }: { experiment: ExperimentView }) {
  return (
    <Pane>
      <PaneHeader title="Start a run" />
      <StartRunInPage {...(await readStartForm(experiment))} />
    </Pane>
  );
}

/** Maximum number of runs per page and in the chart of all runs. More lines would be unreadable. */
const MAX_DRAWN_RUNS = 200;

type ResultsRequest = { batchId: string; filter: RunFilter; cursor: string | null; against: string | null };

/** Loads all data for the results of one batch. Null if the batch is gone. `settings`: those the batch ran with. */
async function readResults(experiment: ExperimentView, { batchId, filter, cursor, against }: ResultsRequest) {
  const context = await getAppContext();
  const { database, now } = context;
  const batch = await findBatch(database, batchId);
  if (batch === null) return null;
  const isDrawnPage = filter.show === null && filter.reason === null && cursor === null;
  const older = olderBatch(experiment, batch);
  const againstVersion = olderVersion(experiment, against);
  const remaining = batch.counts.queued + batch.counts.running;
  const ranUnder = await findExperimentVersion(database, experiment.id, batch.experimentVersion);
  const settings = ranUnder?.settings ?? experiment.settings;
  const [drawn, listed, olderView, versions, olderSettings, agreement, timeLeft, queued, failure] = await Promise.all([
    listRuns(database, { batchId, cursor: null, limit: MAX_DRAWN_RUNS }),
    isDrawnPage ? null : listRuns(database, { batchId, ...queryOf(filter), cursor, limit: MAX_DRAWN_RUNS }),
    older === null ? null : findBatch(database, older),
    settingsVersions(experiment),
    againstVersion === null ? null : findExperimentVersion(database, experiment.id, againstVersion),
    findAgreement(database, experiment.id),
    findTimeLeft(database, batchId, remaining, now()),
    remaining === 0 ? null : findBatchQueuePosition(context, batchId),
    batch.counts.failed === 0 ? findBlockingFailure(batch) : findBatchFailure(database, batchId, settings),
  ]);
  return {
    batch,
    settings,
    older: olderView === null ? null : { settingsVersion: olderView.experimentVersion, report: olderView.report },
    drawn: await listTrajectories(database, drawn.items),
    runs: listed ?? drawn,
    versions,
    latest: { version: experiment.latestVersion, settings: experiment.settings },
    against: olderSettings,
    agreement,
    timeLeft,
    queued,
    failure,
  };
}

/** Returns the failure that holds the batch although no run is failed now. The failed run was resumed or deleted. */
function findBlockingFailure({ held }: BatchView): BatchFailure | null {
  return held === null ? null : { ...held, runs: 0 };
}

/** Returns the newest batch of an older settings version with the same number of runs. Other sizes are not comparable. */
function olderBatch({ batches }: ExperimentView, { experimentVersion, total }: BatchView): string | null {
  const older = batches.filter((batch) => !batch.isBranch && batch.experimentVersion < experimentVersion);
  return older.find((batch) => batch.total === total)?.id ?? null;
}

/** Returns the older settings version to compare with: the requested one, or else the one before the latest. */
function olderVersion({ latestVersion, versions }: ExperimentView, value: string | null): number | null {
  const named = versions.find(({ version }) => version < latestVersion && String(version) === value);
  return named?.version ?? (latestVersion > 1 ? latestVersion - 1 : null);
}

function queryOf({ show, reason }: RunFilter) {
  if (show === 'solved' || show === 'unsolved') return { success: show === 'solved', reason };
  return { status: show, reason };
}
