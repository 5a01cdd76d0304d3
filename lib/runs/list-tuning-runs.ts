import { bestVersion } from '#lib/core/best-version.ts';
import type { Database } from '#lib/database/database.ts';
import { tuningSummary } from '#lib/statistics/tuning-summary.ts';
import { listRuns } from './list-runs.ts';
import { loadRun } from './load-run.ts';
import type { TunedPrompt, TunedRun } from './tuned-run.ts';

/** The newest tuning runs of an experiment, at most `limit`. */
export async function listTuningRuns(database: Database, experimentId: string, limit: number): Promise<TunedRun[]> {
  const { items } = await listRuns(database, { experimentId, cursor: null, limit });
  const rows = await Promise.all(items.map(({ id }) => readRow(database, id)));
  return rows.filter((row) => row !== null);
}

async function readRow(database: Database, id: string): Promise<TunedRun | null> {
  const stored = await loadRun(database, id);
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
    proposals: summary.proposals,
    accepted: summary.accepted,
    calls: summary.calls,
    first: promptOf(0),
    best: promptOf(best),
  };
}
