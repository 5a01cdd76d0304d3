import { bestVersion } from '#lib/core/best-version.ts';
import type { History } from '#lib/core/history.ts';
import type { RunStatus } from '#lib/core/run-record.ts';
import { effectiveEvaluation, scoreOf } from '#lib/core/scored-versions.ts';
import type { Ending, StepResult } from '#lib/core/step.ts';
import { stopReason } from '#lib/core/stop-reasons.ts';
import { iterationsUsed } from '#lib/core/stop-rules.ts';
import type { Database, Queryable } from '#lib/database/database.ts';
import { storableJson } from '#lib/database/query-values.ts';
import { digestRun } from '#lib/statistics/digest-run.ts';
import { CALL_COLUMNS, CALL_RECORD, CALL_VALUES, sumOf } from './journal.ts';
import { type MeasureRecord, measureInsert } from './measures.ts';
import { RECORD_INSERTS, type Records, recordsOf } from './result-records.ts';
import type { Save } from './save.ts';

/** `lost`: another worker has the run, or it was deleted. `stale`: something else was saved meanwhile; read the run again. */
export type SaveOutcome = 'saved' | 'lost' | 'stale';

const SUMMARY = `place int, id uuid, claim int, "eventNumber" int, step int, status text, reason text, "alsoHeld" text[], success boolean, failure jsonb, pause jsonb, redraw jsonb,
    "pauseId" uuid, "pauseExpiresAt" timestamptz, "activeMs" int, "iterationsUsed" int, "versionCount" int, "bestVersion" int, "finalVersion" int, "firstScore" float8, "bestScore" float8,
    satisfied text, "finishedAt" timestamptz, "eventCount" int, "decisionCount" int, "evaluationCount" int,
    "inputTokens" int, "outputTokens" int, "costUsd" float8, unpriced boolean, "callCount" int`;
const UPDATE = `UPDATE runs SET step = s.step, status = s.status, convergence_reason = s.reason, also_held = s."alsoHeld", success = s.success, failure = s.failure,
      pause = s.pause, redraw = s.redraw, pause_id = s."pauseId", pause_expires_at = s."pauseExpiresAt", active_ms = s."activeMs", iterations_used = s."iterationsUsed", version_count = s."versionCount",
      best_version = s."bestVersion", final_version = s."finalVersion", first_score = s."firstScore", best_score = s."bestScore", satisfied = s.satisfied,
      finished_at = s."finishedAt", idle_claims = 0, event_number = event_number + s."eventCount", decision_count = decision_count + s."decisionCount",
      evaluation_count = evaluation_count + s."evaluationCount", input_tokens = input_tokens + s."inputTokens", output_tokens = output_tokens + s."outputTokens",
      cost_usd = cost_usd + s."costUsd", unpriced = runs.unpriced OR s.unpriced, call_count = call_count + s."callCount"`;
// The list of ids makes the planner look the runs up one by one, however many it takes `summary` to have.
const FENCE = `FROM summary s WHERE runs.id = ANY ($1::uuid[]) AND runs.id = s.id AND runs.claim = s.claim AND event_number = s."eventNumber"
    RETURNING runs.id, s.place, runs.experiment_id, runs.experiment_version, event_number - s."eventCount" AS first_event, decision_count - s."decisionCount" AS first_decision,
      evaluation_count - s."evaluationCount" AS first_evaluation`;

type Lists = Pick<Save, 'calls' | 'events'> & Records & { measures: MeasureRecord[] };
const INSERTS: Record<keyof Lists, (list: string) => string> = {
  ...RECORD_INSERTS,
  calls: (list) => `INSERT INTO model_calls (${CALL_COLUMNS})
    SELECT f.id, ${CALL_VALUES} FROM fenced f JOIN json_to_recordset(${list}::json) AS c(place int, number int, ${CALL_RECORD}) USING (place) ORDER BY c.number`,
  measures: (list) => measureInsert('fenced', list),
  events: (list) => `INSERT INTO run_events (run_id, number, type, data, at)
    SELECT f.id, f.first_event + e.number, e.type, e.data, e.at
    FROM fenced f JOIN json_to_recordset(${list}::json) AS e(place int, number int, type text, data jsonb, at timestamptz) USING (place)`,
};
const KINDS = [
  'calls',
  'versions',
  'evaluations',
  'critiques',
  'lessons',
  'lessonChecks',
  'tries',
  'turns',
  'observations',
  'decisions',
  'recalls',
  'effects',
  'uses',
  'drops',
  'deliveries',
  'measures',
  'events',
] as const;

/** One statement with the parts that there are records for: each part costs, even when it has nothing to do. */
function saveStatement(kinds: readonly (keyof Lists)[], notify: boolean): string {
  return `
  WITH summary AS (SELECT * FROM json_to_recordset($2::json) AS s(${SUMMARY})),
  fenced AS (${UPDATE} ${FENCE}),
  ${kinds.map((kind, position) => `kept_${kind} AS (${INSERTS[kind](`$${position + 3}`)})`).join(',\n  ')}
  SELECT f.id${notify ? ", pg_notify('hone_events', f.id::text)::text" : ''} FROM fenced f`;
}

/** Statements by name: few of all the combinations ever come up. */
const statements = new Map<string, string>();

/**
 * Keeps results, calls and events of runs in one statement and so in one commit: all that are not refused, or none when it throws.
 * A save is refused when its claim or event number is not the present one. No run may be named twice. `notify`: whether other
 * processes that follow the runs must be notified.
 */
export async function saveResults(connection: Queryable, saves: Save[], notify: boolean): Promise<SaveOutcome[]> {
  const lists = listsOf(saves);
  const kinds = KINDS.filter((kind) => lists[kind].length > 0);
  const name = `save-results${notify ? '-notify' : ''}-${KINDS.map((kind) => Number(lists[kind].length > 0)).join('')}`;
  const text = statements.get(name) ?? saveStatement(kinds, notify);
  statements.set(name, text);
  const summaries = saves.map((save, place) => ({ ...summaryOf(save), place }));
  const { rows } = await connection.query<{ id: string }>({
    name,
    text,
    values: [
      saves.map(({ runId }) => runId),
      storableJson(summaries),
      ...kinds.map((kind) => storableJson(lists[kind])),
    ],
  });
  if (rows.length === saves.length) return saves.map(() => 'saved');
  return tellRefused(connection, saves, new Set(rows.map(({ id }) => id)));
}

/** The records of all saves, each with its save's place among them. */
function listsOf(saves: Save[]): Lists {
  const placed = saves.map((save, place) => ({
    ...recordsOf(save, place),
    calls: save.calls.map((call, index) => ({ ...call, place, number: index + 1 })),
    events: save.events.map((event, index) => ({ ...event, place, number: index + 1, at: save.now })),
    measures: measuresOf(save, place),
  }));
  return {
    calls: placed.flatMap(({ calls }) => calls),
    events: placed.flatMap(({ events }) => events),
    versions: placed.flatMap(({ versions }) => versions),
    evaluations: placed.flatMap(({ evaluations }) => evaluations),
    critiques: placed.flatMap(({ critiques }) => critiques),
    lessons: placed.flatMap(({ lessons }) => lessons),
    lessonChecks: placed.flatMap(({ lessonChecks }) => lessonChecks),
    tries: placed.flatMap(({ tries }) => tries),
    turns: placed.flatMap(({ turns }) => turns),
    observations: placed.flatMap(({ observations }) => observations),
    decisions: placed.flatMap(({ decisions }) => decisions),
    recalls: placed.flatMap(({ recalls }) => recalls),
    effects: placed.flatMap(({ effects }) => effects),
    uses: placed.flatMap(({ uses }) => uses),
    drops: placed.flatMap(({ drops }) => drops),
    deliveries: placed.flatMap(({ deliveries }) => deliveries),
    measures: placed.flatMap(({ measures }) => measures),
  };
}

/** What the run comes to, once it has ended. What a tuning run comes to lies in its cases. */
function measuresOf({ ending, settings, history, reference }: Save, place: number): MeasureRecord[] {
  if (ending === null || settings.mode === 'tune') return [];
  return [{ ...digestRun(history, settings, { reference }), endedAt: ending.endedAt, place }];
}

async function tellRefused(connection: Queryable, saves: Save[], saved: Set<string>): Promise<SaveOutcome[]> {
  const { rows } = await connection.query<{ id: string; claim: number }>(
    'SELECT id, claim FROM runs WHERE id = ANY ($1::uuid[])',
    [saves.map(({ runId }) => runId)],
  );
  const claims = new Map(rows.map(({ id, claim }) => [id, claim]));
  return saves.map(({ runId, claim }) => {
    if (saved.has(runId)) return 'saved';
    return claims.get(runId) === claim ? 'stale' : 'lost';
  });
}

/** Whether a save whose answer got lost went through all the same. */
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

function summaryOf({ runId, claim, eventNumber, history, settings, results, events, calls, status, ending }: Save) {
  const scores = history.versions.map((version) => scoreOf(history, version.number));
  const best = bestVersion(history, settings.bestVersion);
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
    eventCount: events.length,
    decisionCount:
      recordsCount(results, 'decision') +
      results.filter((result) => result.type === 'end' && result.decision !== null).length,
    evaluationCount: recordsCount(results, 'evaluation'),
  };
}

function recordsCount(results: StepResult[], type: StepResult['type']): number {
  return results.filter((result) => result.type === type).length;
}

/** The state a run is in after its last result. */
export function statusOf(history: History, ending: Pick<Ending, 'reason'> | null): RunStatus {
  if (ending === null) return history.pause === null ? 'running' : 'waiting';
  return stopReason(ending.reason).status;
}

/** A 1 or 0 for each version up to the last one that was evaluated; 0 also where one before it was passed over unevaluated. */
function satisfiedOf(history: History): string {
  const evaluations = history.versions.map((version) => effectiveEvaluation(history, version.number));
  return evaluations
    .slice(0, evaluations.findLastIndex((evaluation) => evaluation !== null) + 1)
    .map((evaluation) => (evaluation?.satisfactory ? '1' : '0'))
    .join('');
}
