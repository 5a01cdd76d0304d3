import type { RunFilter } from '#components/experiment/run-filter.ts';
import { findBatchQueuePosition } from '#lib/batches/queue-position.ts';
import { findAgreement } from '#lib/blind-review/preferences.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { type ExperimentView, findExperimentVersion } from '#lib/experiments/queries.ts';
import { type BatchView, findBatch, findTimeLeft } from '#lib/runs/batches.ts';
import { listRuns } from '#lib/runs/list-runs.ts';
import { settingsVersions } from './settings-versions.ts';

/** Runs on one page, and those that the chart of all runs draws: more lines than these are one grey field. */
const MOST_DRAWN = 200;

type Asked = { batchId: string; filter: RunFilter; cursor: string | null; against: string | null };

/** All that the results of one batch are made of; null where the batch is gone. `settings` are those the batch ran under. */
export async function readResults(experiment: ExperimentView, { batchId, filter, cursor, against }: Asked, now: Date) {
  const context = await getAppContext();
  const { database } = context;
  const batch = await findBatch(database, batchId);
  if (batch === null) return null;
  const isDrawnPage = filter.show === null && filter.reason === null && cursor === null;
  const older = olderBatch(experiment, batch);
  const againstVersion = olderVersion(experiment, against);
  const remaining = batch.counts.queued + batch.counts.running;
  const [drawn, listed, ranUnder, olderView, versions, olderSettings, agreement, timeLeft, queued] = await Promise.all([
    listRuns(database, { batchId, cursor: null, limit: MOST_DRAWN }),
    isDrawnPage ? null : listRuns(database, { batchId, ...queryOf(filter), cursor, limit: MOST_DRAWN }),
    findExperimentVersion(database, experiment.id, batch.experimentVersion),
    older === null ? null : findBatch(database, older),
    settingsVersions(experiment),
    againstVersion === null ? null : findExperimentVersion(database, experiment.id, againstVersion),
    findAgreement(database, experiment.id),
    findTimeLeft(database, batchId, remaining, now),
    batch.counts.queued === 0 ? null : findBatchQueuePosition(context, batchId),
  ]);
  return {
    batch,
    settings: ranUnder?.settings ?? experiment.settings,
    older: olderView === null ? null : { settingsVersion: olderView.experimentVersion, report: olderView.report },
    drawn: drawn.items,
    runs: listed ?? drawn,
    versions,
    latest: { version: experiment.latestVersion, settings: experiment.settings },
    against: olderSettings,
    agreement,
    timeLeft,
    queued,
  };
}

/** The newest batch of an older version of the settings that is as large: one of other cases would say little beside it. */
function olderBatch({ batches }: ExperimentView, { experimentVersion, total }: BatchView): string | null {
  const older = batches.filter((batch) => !batch.isBranch && batch.experimentVersion < experimentVersion);
  return older.find((batch) => batch.total === total)?.id ?? null;
}

/** The older version that the settings are held against: the one that is asked for, else the one before the latest. */
function olderVersion({ latestVersion, versions }: ExperimentView, asked: string | null): number | null {
  const named = versions.find(({ version }) => version < latestVersion && String(version) === asked);
  return named?.version ?? (latestVersion > 1 ? latestVersion - 1 : null);
}

function queryOf({ show, reason }: RunFilter) {
  if (show === 'solved' || show === 'unsolved') return { success: show === 'solved', reason };
  return { status: show, reason };
}
