import { agentOfTries } from '#lib/core/agents/agent-progress.ts';
import { bestVersion } from '#lib/core/best-version.ts';
import type { History } from '#lib/core/history.ts';
import type { RunStatus } from '#lib/core/run-statuses.ts';
import { effectiveEvaluation, scoreOf } from '#lib/core/scored-versions.ts';
import type { Ending } from '#lib/core/step.ts';
import { stopReason } from '#lib/core/stop-reasons.ts';
import { iterationsUsed } from '#lib/core/stop-rules.ts';
import { settledToolUses } from '#lib/core/tuning/due-try.ts';
import type { Database, Queryable } from '#lib/database/database.ts';
import { digestRun } from '#lib/statistics/digest-run.ts';
import { writeEventLine } from './event-lines.ts';
import { decisionsOf, type MeasureRecord, recordsOf, searchedOutputs } from './result-records.ts';
import { writePolicyDecision } from './run-rows.ts';
import type { Save } from './save.ts';
import {
  EVENTS_IN_ROW,
  insertResults,
  type SaveNotice,
  type SaveRecords,
  sumOf,
  withStoredFingerprints,
} from './worker-queries.ts';

/** `lost`: another worker has the run, or it was deleted. `stale`: something else was saved meanwhile, so the run must be read again. */
export type SaveOutcome = 'saved' | 'lost' | 'stale';

/**
 * Stores results, calls and events of runs in one statement and therefore one commit. Stores all saves that are not refused, or none if it
 * throws. A save is refused if its claim or event number is outdated. Each run may occur only once. `notices`: notifications for other
 * processes. Returns the IDs of the saved runs.
 */
export function saveResults(
  connection: Queryable,
  saves: Save[],
  notices: readonly SaveNotice[] = [],
): Promise<Set<string>> {
  const stored = saves.map((save) => ({ summary: summaryOf(save), records: allRecordsOf(save) }));
  return insertResults(connection, stored, notices);
}

/** Returns the outcome of each save. `saved` contains those that were saved. */
export async function outcomesOf(
  { prisma }: Pick<Database, 'prisma'>,
  saves: readonly Save[],
  saved: ReadonlySet<string>,
): Promise<SaveOutcome[]> {
  const refused = saves.map(({ runId }) => runId).filter((runId) => !saved.has(runId));
  if (refused.length === 0) return saves.map(() => 'saved');
  const runs = await prisma.run.findMany({ where: { id: { in: refused } }, select: { id: true, claim: true } });
  const claims = new Map(runs.map(({ id, claim }) => [id, claim]));
  return saves.map(({ runId, claim }) => {
    if (saved.has(runId)) return 'saved';
    return claims.get(runId) === claim ? 'stale' : 'lost';
  });
}

function allRecordsOf(save: Save): SaveRecords {
  return {
    ...recordsOf(save),
    calls: save.calls.map(({ shared, ...call }, index) => ({
      ...withStoredFingerprints(call),
      ...(shared !== undefined && { sharedPrompt: shared.id }),
      number: index + 1,
    })),
    sharedPrompts: save.calls.flatMap(({ shared }) => shared ?? []),
    measures: measuresOf(save),
    eventPages: movesEvents(save) ? [{ lastNumber: save.eventNumber }] : [],
    settledTools: settledToolsOf(save).map((beginning) => ({ beginning })),
  };
}

/** True if the events in the row are moved to a page before the events of this save, so that a row has about `EVENTS_IN_ROW` at most. */
function movesEvents({ eventNumber, events }: Pick<Save, 'eventNumber' | 'events'>): boolean {
  const fullRows = (count: number) => Math.floor(count / EVENTS_IN_ROW);
  return fullRows(eventNumber + events.length) > fullRows(eventNumber);
}

/** Returns ID prefixes of tool results that are no longer needed after these example scores. See `settledToolUses`. */
function settledToolsOf({ results, history, settings }: Save): string[] {
  if (agentOfTries(settings) === null) return [];
  return settledToolUses(
    history,
    results.flatMap((result) => (result.type === 'tries' ? result.tries : [])),
  );
}

/** Returns the measures of a run that has ended. A tuning run has none, because its results are in its cases. */
function measuresOf({ ending, settings, history, reference }: Save): MeasureRecord[] {
  if (ending === null || settings.mode === 'tune') return [];
  const digest = digestRun(history, settings, { reference });
  return [{ ...digest, endedAt: ending.endedAt, outputs: searchedOutputs(history, settings) }];
}

/** Returns true if a save was committed although its response was lost. */
export async function wasSaved({ prisma }: Pick<Database, 'prisma'>, save: Save): Promise<boolean> {
  const run = await prisma.run.findUnique({
    where: { id: save.runId },
    select: { claim: true, eventNumber: true, step: true },
  });
  return (
    run?.claim === save.claim &&
    run.step === save.history.step &&
    run.eventNumber === save.eventNumber + save.events.length
  );
}

function summaryOf({
  runId,
  claim,
  eventNumber,
  history,
  settings,
  results,
  events,
  calls,
  status,
  ending,
  now,
}: Save) {
  const scores = history.versions.map((version) => scoreOf(history, version.number));
  const best = bestVersion(history, settings.bestVersion);
  const decisions = decisionsOf(results);
  return {
    id: runId,
    claim,
    eventNumber,
    ...sumOf(calls),
    step: history.step,
    status: status ?? statusOf(history, ending),
    reason: ending?.reason ?? null,
    alsoHeld: ending?.alsoHeld ?? [],
    success: ending?.success ?? false,
    failure: history.failure,
    pause: history.pause,
    redraw: history.redraw,
    pauseId: history.pause?.pauseId ?? null,
    pauseExpiresAt: history.pause?.expiresAt ?? null,
    activeMs: Math.round(history.activeMs),
    iterationsUsed: iterationsUsed(history),
    versionCount: history.versions.length,
    bestVersion: best,
    finalVersion: ending?.finalVersion ?? null,
    firstScore: scores[0] ?? null,
    bestScore: best === null ? null : scoreOf(history, best),
    satisfied: satisfiedOf(history),
    finishedAt: ending?.endedAt ?? null,
    events: writeEventLine(events, eventNumber + 1, now),
    eventCount: events.length,
    movesEvents: movesEvents({ eventNumber, events }),
    decisionCount: decisions.filter(({ by }) => by !== 'policy').length,
    policyDecisions: decisions
      .filter(({ by }) => by === 'policy')
      .map(writePolicyDecision)
      .join(''),
    evaluationCount: results.filter(({ type }) => type === 'evaluation').length,
  };
}

/** Returns the status of a run after its last result. */
export function statusOf(history: History, ending: Pick<Ending, 'reason'> | null): RunStatus {
  if (ending === null) return history.pause === null ? 'running' : 'waiting';
  return stopReason(ending.reason).status;
}

/** Returns a 1 or 0 for each version up to the last evaluated one. A version that was skipped without an evaluation is a 0. */
function satisfiedOf(history: History): string {
  const evaluations = history.versions.map((version) => effectiveEvaluation(history, version.number));
  return evaluations
    .slice(0, evaluations.findLastIndex((evaluation) => evaluation !== null) + 1)
    .map((evaluation) => (evaluation?.satisfactory ? '1' : '0'))
    .join('');
}
