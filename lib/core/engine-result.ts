import type { Case } from './case.ts';
import type { History } from './history.ts';
import type { EvaluationRecord, RunRecord, VersionRecord } from './run-record.ts';
import { effectiveEvaluation } from './scored-versions.ts';
import type { ExperimentSettings } from './settings.ts';
import { sumSpend } from './spend.ts';
import type { Ending } from './step.ts';
import { toRunRecord } from './to-run-record.ts';
import type { Spend } from './token-usage.ts';

/** A version with all its records. `evaluation` is the one that the loop used, null before there is one. */
export type EngineVersion = VersionRecord & { evaluation: EvaluationRecord | null };

const HISTORY_PARTS = [
  ...(['issues', 'decisions', 'lessons', 'turns', 'observations', 'bestVersion', 'finalVersion'] as const),
  ...(['convergenceReason', 'alsoHeld', 'iterationsUsed'] as const),
];
/** A loop in the format of the API: versions are referenced by number. The reason is null while it is running. */
export type EngineHistory = Pick<RunRecord, (typeof HISTORY_PARTS)[number]> & { versions: EngineVersion[] };

const RESULT_PARTS = [
  ...(['success', 'convergenceReason', 'alsoHeld', 'failure', 'iterationsUsed', 'executionTimeMs'] as const),
  ...(['bestVersion', 'finalVersion', 'bestOutput', 'finalOutput'] as const),
];
/**
 * Result of a loop. The best output may differ from the final one. There is none if nothing was scored. `failure` is the reason why a model
 * returned no answer.
 */
export type EngineResult = Pick<RunRecord, (typeof RESULT_PARTS)[number] | 'tokenUsage' | 'costUsd' | 'unpriced'> & {
  finalEvaluation: EvaluationRecord | null;
  history: EngineHistory;
};

function pick<Name extends keyof RunRecord>(record: RunRecord, names: readonly Name[]): Pick<RunRecord, Name>;
function pick(record: RunRecord, names: readonly (keyof RunRecord)[]) {
  return Object.fromEntries(names.map((name) => [name, record[name]]));
}

/** Returns the history of a loop so far. */
export function engineHistory(history: History, ending: Ending | null, settings: ExperimentSettings): EngineHistory {
  const record = recordOf(history, ending, settings);
  return {
    ...pick(record, HISTORY_PARTS),
    versions: record.versions.map((version) => ({ ...version, evaluation: evaluationOf(history, version) })),
  };
}

/** Returns the result of a loop that ended. `paid` contains the cost of each call. */
export function engineResult(
  history: History,
  ending: Ending,
  settings: ExperimentSettings,
  { task, paid }: { task: Case; paid: Spend[] },
): EngineResult {
  const record = recordOf(history, ending, settings, task);
  const exported = engineHistory(history, ending, settings);
  return {
    ...pick(record, RESULT_PARTS),
    tokenUsage: sumSpend(paid).tokenUsage,
    costUsd: paid.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0),
    unpriced: paid.some(({ costUsd }) => costUsd === null),
    finalEvaluation: exported.versions.find(({ number }) => number === record.finalVersion)?.evaluation ?? null,
    history: exported,
  };
}

/** Placeholder for records that only depend on the history. */
const NO_TASK: Case = { input: '', reference: null, tags: [], metadata: {} };

function evaluationOf(history: History, version: VersionRecord): EvaluationRecord | null {
  const inUse = effectiveEvaluation(history, version.number);
  const all = history.evaluations.filter((evaluation) => evaluation.version === version.number);
  return inUse === null ? null : (version.evaluations[all.indexOf(inUse)] ?? null);
}

function recordOf(
  history: History,
  ending: Ending | null,
  settings: ExperimentSettings,
  task: Case = NO_TASK,
): RunRecord {
  const facts = {
    id: '',
    number: 0,
    experimentId: '',
    experimentVersion: 0,
    batchId: '',
    branchedFrom: null,
    case: task,
    status: ending === null ? ('running' as const) : ('finished' as const),
    ending,
    createdAt: '',
    startedAt: null,
    finishedAt: ending?.endedAt ?? null,
    lastEvent: 0,
  };
  return toRunRecord(facts, history, settings);
}
