import { plainCall } from './agents/agent-records.ts';
import { bestVersion } from './best-version.ts';
import type { Case } from './case.ts';
import type { History } from './history.ts';
import { withIssueIds } from './issues/identify-issues.ts';
import { issueLedger, type LedgerRow } from './issues/open-issues.ts';
import { modelFor } from './model-roles.ts';
import { namedModels } from './named-models.ts';
import { isCutOff } from './responses.ts';
import type { RunRecord, VersionRecord } from './run-record.ts';
import type { RunStatus } from './run-statuses.ts';
import { BEST_VERSION_RULES } from './setting-choices.ts';
import type { ExperimentSettings } from './settings.ts';
import { spendOfRun, spendOnVersion, spendsOf } from './spend.ts';
import type { Ending } from './step.ts';
import { iterationsUsed } from './stop-rules.ts';
import { unscoredFailure } from './unscored-failure.ts';

/** Fields of a run that are not in its history. */
export type RunFacts = {
  id: string;
  number: number;
  experimentId: string;
  experimentVersion: number;
  batchId: string;
  branchedFrom: RunRecord['branchedFrom'];
  case: Case;
  status: RunStatus;
  ending: Pick<Ending, 'reason' | 'alsoHeld' | 'success' | 'finalVersion'> | null;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  lastEvent: number;
};

/** Returns the whole history of a run in the format of the API and the pages. */
export function toRunRecord(facts: RunFacts, stored: History, settings: ExperimentSettings): RunRecord {
  const history = withIssueIds(stored);
  const ledger = issueLedger(history);
  const spend = spendOfRun(history);
  const best = bestVersion(history, settings.bestVersion);
  const outputOf = (number: number | null) =>
    history.versions.find((version) => version.number === number && !version.outputDropped)?.output ?? null;
  const final = facts.ending?.finalVersion ?? null;
  const { ending, ...shared } = facts;
  return {
    ...shared,
    convergenceReason: ending?.reason ?? null,
    alsoHeld: ending?.alsoHeld ?? [],
    success: ending?.success ?? false,
    failure: failureOf(facts, history, settings),
    iterationsUsed: iterationsUsed(history),
    executionTimeMs: history.activeMs,
    bestVersion: best,
    finalVersion: final,
    bestOutput: outputOf(best),
    finalOutput: outputOf(final),
    bestByRule: Object.fromEntries(BEST_VERSION_RULES.map((rule) => [rule, bestVersion(history, rule)])),
    tokenUsage: spend.tokenUsage,
    costUsd: spendsOf(history).reduce((sum, one) => sum + (one.costUsd ?? 0), 0),
    unpriced: spend.costUsd === null,
    practice: isPractice(settings),
    versions: versionRecords(history, ledger),
    issues: ledger,
    turns: history.turns.map(({ step: _step, calls, ...turn }) => ({ ...turn, calls: calls.map(plainCall) })),
    observations: history.observations.map(({ step: _step, ...observation }) => ({
      ...observation,
      length: observation.text.length,
    })),
    openCritiques: history.critiques
      .filter(({ version }) => !history.versions.some(({ number }) => number === version))
      .map(({ step: _step, ...critique }) => critique),
    decisions: history.decisions.map(({ step: _step, ...decision }) => decision),
    lessons: history.lessons.map(({ id, version, kind, text, fields, withheld = false }) => ({
      ...{ id, version, kind, text, fields, withheld },
    })),
    waitingFor: history.pause,
  };
}

/** True if any role of an experiment uses the built-in practice model. */
export function isPractice(settings: ExperimentSettings): boolean {
  return namedModels(settings).some(({ provider }) => provider === 'practice');
}

function versionRecords(history: History, ledger: LedgerRow[]): VersionRecord[] {
  const rowOf = new Map(ledger.map((row) => [row.id, row]));
  return history.versions.map((version) => {
    const { step: _step, ...shown } = version;
    return {
      ...shown,
      cutOff: isCutOff(version),
      evaluations: history.evaluations
        .filter((evaluation) => evaluation.version === version.number)
        .map(
          ({ version: _of, feedback: _feedback, answer: _answer, step: _at, issues, copiedFrom, ...evaluation }) => ({
            ...evaluation,
            copiedFrom: copiedFrom ?? null,
            issues: issues.map(({ id = '', ...issue }) => {
              const state = rowOf.get(id)?.states[version.number];
              return { id, ...issue, state: state === undefined || state === 'resolved' ? 'opened' : state };
            }),
          }),
        ),
      critiques: history.critiques
        .filter((critique) => critique.version === version.number)
        .map(({ version: _of, step: _at, ...critique }) => critique),
      totalSpend: spendOnVersion(history, version.number),
    };
  });
}

/** Returns the cause of a failure, or the reason why nothing could be scored. Null if neither ended the run. */
function failureOf({ ending, case: task }: RunFacts, history: History, settings: ExperimentSettings) {
  if (history.failure === null)
    return ending?.reason === 'evaluation_failed' ? unscoredFailure(history, settings, task) : null;
  const { kind, cause, role, message, remedy } = history.failure;
  const { provider, model } = role === null ? { provider: null, model: null } : modelFor(settings, role);
  return { kind, cause: cause ?? (kind === 'internal_error' ? kind : null), role, provider, model, message, remedy };
}
