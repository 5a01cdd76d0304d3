import { bestVersion } from '#lib/core/best-version.ts';
import type { RunStatus } from '#lib/core/run-statuses.ts';
import type { StopReason } from '#lib/core/stop-reasons.ts';
import type { Database } from '#lib/database/database.ts';
import type { MeanInterval } from '#lib/statistics/intervals.ts';
import { madeVersions, tuningSummary } from '#lib/statistics/tuning-summary.ts';
import { listRuns } from './list-runs.ts';
import { loadRun } from './load-run.ts';

/** Scores of one prompt of a tuning run. Null if it was not run on every case of that kind. */
export type TunedPrompt = { version: number; chosenBy: MeanInterval | null; heldOut: MeanInterval | null };

/** Summary of a tuning run: its initial prompt and the one it would return. */
export type TunedRun = {
  id: string;
  number: number;
  status: RunStatus;
  success: boolean;
  convergenceReason: StopReason | null;
  /** Number of prompts the run made. `accepted` is the number of those that were accepted. */
  made: number;
  accepted: number;
  calls: number;
  first: TunedPrompt | null;
  best: TunedPrompt | null;
};

/** Returns the newest tuning runs of an experiment, at most `limit`. */
export async function listTuningRuns(database: Database, experimentId: string, limit: number): Promise<TunedRun[]> {
  const { items } = await listRuns(database, { experimentId, cursor: null, limit });
  const rows = await Promise.all(items.map(({ id }) => readRow(database, id)));
  return rows.filter((row) => row !== null);
}

async function readRow(database: Database, id: string): Promise<TunedRun | null> {
  const stored = await loadRun(database, id, 'scores');
  if (stored === null || stored.settings.mode !== 'tune') return null;
  const { run, history, settings } = stored;
  const summary = tuningSummary(history, settings);
  const best = run.finalVersion ?? bestVersion(history, settings.bestVersion);
  const promptOf = (number: number | null): TunedPrompt | null => {
    const version = summary.versions.find((candidate) => candidate.number === number);
    return version === undefined
      ? null
      : { version: version.number, chosenBy: version.chosenBy, heldOut: version.heldOut };
  };
  return {
    id,
    number: run.number,
    status: run.status,
    success: run.success,
    convergenceReason: run.convergenceReason,
    made: madeVersions(summary).length,
    accepted: summary.accepted,
    calls: summary.calls,
    first: promptOf(0),
    best: promptOf(best),
  };
}
