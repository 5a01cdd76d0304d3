import type { History } from '#lib/core/history.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { toRunRecord } from '#lib/core/to-run-record.ts';
import type { Database } from '#lib/database/database.ts';
import { type TuningSummary, tuningSummary } from '#lib/statistics/tuning-summary.ts';
import { findRunNumber } from './branches.ts';
import { loadRun } from './load-run.ts';

/** A run as pages and the API show it, with the history that its record was made from. */
export type FoundRun = {
  record: RunRecord;
  settings: ExperimentSettings;
  experimentName: string;
  history: History;
  /** How its prompts did on its cases; null where it tunes no prompt. */
  tuning: TuningSummary | null;
};

/** Reads a run; null when there is none. */
export async function findRun(database: Database, id: string): Promise<FoundRun | null> {
  const stored = await loadRun(database, id);
  if (stored === null) return null;
  const { run, history, settings, experimentName } = stored;
  const {
    input,
    reference,
    tags,
    metadata,
    criteria,
    branched_from_run_id: sourceId,
    branched_from_version: from,
  } = run;
  const branchedFrom =
    from === null
      ? null
      : { runId: sourceId, number: sourceId === null ? null : await findRunNumber(database, sourceId), version: from };
  const record = toRunRecord(
    {
      id: run.id,
      number: run.number,
      experimentId: run.experiment_id,
      experimentVersion: run.experiment_version,
      batchId: run.batch_id,
      branchedFrom,
      case: { input, reference, tags, metadata, ...(criteria && { criteria }) },
      status: run.status,
      ending:
        run.convergence_reason === null
          ? null
          : {
              reason: run.convergence_reason,
              alsoHeld: run.also_held,
              success: run.success,
              finalVersion: run.final_version,
            },
      createdAt: run.created_at,
      startedAt: run.started_at,
      finishedAt: run.finished_at,
      lastEvent: run.event_number,
    },
    history,
    settings,
  );
  const tuning = settings.mode === 'tune' ? tuningSummary(history, settings) : null;
  return { record, settings, experimentName, history, tuning };
}
