import type pg from 'pg';
import { bestVersion } from '#lib/reflection/best-version.ts';
import type { History } from '#lib/reflection/history.ts';
import { iterationsUsed } from '#lib/reflection/iteration-cap.ts';
import type { RunEvent } from '#lib/reflection/run-events.ts';
import type { RunStatus } from '#lib/reflection/run-record.ts';
import { effectiveEvaluation, scoreOf } from '#lib/reflection/scored-versions.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';
import type { Ending, StepResult } from '#lib/reflection/step.ts';
import { storableJson } from './clean-text.ts';
import { CALL_COLUMNS, CALL_RECORD, CALL_SUMS, CALL_VALUES, type CallEntry } from './journal.ts';
import { RECORD_INSERTS, type Records, recordsOf } from './result-records.ts';

/** What is to be kept of a run after one or more steps or decisions, and the history it gives. */
export type Save = {
  runId: string;
  /** The claim the saver knows of: a newer one refuses the save. */
  claim: number;
  /** The number of the last event the saver knows of: a newer one refuses the save. */
  eventNumber: number;
  results: StepResult[];
  /** Calls that are not in the journal yet. */
  calls: CallEntry[];
  /** At least one. */
  events: RunEvent[];
  history: History;
  settings: ExperimentSettings;
  input: string;
  /** null: what follows from the history and the ending. */
  status: RunStatus | null;
  ending: SavedEnding | null;
  /** Whether processes that follow the run must be notified. */
  notify: boolean;
  now: Date;
};
export type SavedEnding = Pick<Ending, 'reason' | 'alsoHeld' | 'success' | 'finalVersion' | 'endedAt'>;

/** `lost`: another worker has the run, or it was deleted. `stale`: something else was saved meanwhile; read the run again. */
export type SaveOutcome = 'saved' | 'lost' | 'stale';

/** A pool, or one connection inside a transaction. */
export type Queryable = Pick<pg.Pool, 'query'>;

const SUMMARY = `step int, status text, reason text, "alsoHeld" text[], success boolean, failure jsonb, pause jsonb,
    "pauseId" uuid, "activeMs" int, "iterationsUsed" int, "versionCount" int, "bestVersion" int, "finalVersion" int, "firstScore" float8, "bestScore" float8,
    satisfied text, "finishedAt" timestamptz, "eventCount" int, "decisionCount" int, "evaluationCount" int`;
const UPDATE = `UPDATE runs SET step = s.step, status = s.status, convergence_reason = s.reason, also_held = s."alsoHeld", success = s.success, failure = s.failure,
      pause = s.pause, pause_id = s."pauseId", active_ms = s."activeMs", iterations_used = s."iterationsUsed", version_count = s."versionCount",
      best_version = s."bestVersion", final_version = s."finalVersion", first_score = s."firstScore", best_score = s."bestScore", satisfied = s.satisfied,
      finished_at = s."finishedAt", idle_claims = 0, event_number = event_number + s."eventCount", decision_count = decision_count + s."decisionCount",
      evaluation_count = evaluation_count + s."evaluationCount"`;
const FENCE = `FROM summary s WHERE id = $1 AND claim = $2 AND event_number = $3
    RETURNING id, event_number - s."eventCount" AS first_event, decision_count - s."decisionCount" AS first_decision, evaluation_count - s."evaluationCount" AS first_evaluation`;

type Lists = Pick<Save, 'calls' | 'events'> & Records;
const INSERTS: Record<keyof Lists, (list: string) => string> = {
  ...RECORD_INSERTS,
  calls: () => `INSERT INTO model_calls (${CALL_COLUMNS}) SELECT f.id, ${CALL_VALUES} FROM fenced f, calls c`,
  events: (list) => `INSERT INTO run_events (run_id, number, type, data, at)
    SELECT f.id, f.first_event + e.ordinality, e.event->>'type', e.event->'data', $5 FROM fenced f, json_array_elements(${list}::json) WITH ORDINALITY AS e(event, ordinality)`,
};
const KINDS = ['calls', 'versions', 'evaluations', 'critiques', 'lessons', 'decisions', 'recalls', 'events'] as const;

/** One statement with the parts that there are records for: each part costs, even when it has nothing to do. */
function saveStatement(kinds: readonly (keyof Lists)[], notify: boolean): string {
  const list = (kind: keyof Lists) => `$${kinds.indexOf(kind) + 6}`;
  const hasCalls = kinds.includes('calls');
  return `
  WITH ${hasCalls ? `calls AS (SELECT * FROM json_to_recordset(${list('calls')}::json) AS c(${CALL_RECORD})),` : ''}
  summary AS (SELECT * FROM json_to_record($4::json) AS s(${SUMMARY})),
  fenced AS (${UPDATE}${hasCalls ? `, ${CALL_SUMS}` : ''} ${FENCE}),
  ${kinds.map((kind) => `kept_${kind} AS (${INSERTS[kind](list(kind))})`).join(',\n  ')}
  SELECT ${notify ? "pg_notify('hone_events', f.id::text)" : 'f.id'} FROM fenced f`;
}

/** Statements by name: few of all the combinations ever come up. */
const statements = new Map<string, string>();

/** Keeps results, calls and events in one statement and so in one commit; refused when the claim is not the present one. */
export async function saveResults(connection: Queryable, save: Save): Promise<SaveOutcome> {
  const { calls, events, notify } = save;
  const lists: Lists = { ...recordsOf(save), calls, events };
  const kinds = KINDS.filter((kind) => lists[kind].length > 0);
  const name = `save-results${notify ? '-notify' : ''}-${KINDS.map((kind) => Number(lists[kind].length > 0)).join('')}`;
  const text = statements.get(name) ?? saveStatement(kinds, notify);
  statements.set(name, text);
  const values = [save.runId, save.claim, save.eventNumber, storableJson(summaryOf(save)), save.now];
  const { rowCount } = await connection.query({
    name,
    text,
    values: [...values, ...kinds.map((kind) => storableJson(lists[kind]))],
  });
  if (rowCount === 1) return 'saved';
  const { rows } = await connection.query<{ claim: number }>('SELECT claim FROM runs WHERE id = $1', [save.runId]);
  return rows[0]?.claim === save.claim ? 'stale' : 'lost';
}

/** Whether a save whose answer got lost went through all the same. */
export async function wasSaved(connection: Queryable, save: Save): Promise<boolean> {
  const { rows } = await connection.query<{ claim: number; event_number: number; step: number }>(
    'SELECT claim, event_number, step FROM runs WHERE id = $1',
    [save.runId],
  );
  const row = rows[0];
  return (
    row?.claim === save.claim &&
    row.step === save.history.step &&
    row.event_number === save.eventNumber + save.events.length
  );
}

function summaryOf({ history, settings, results, events, status, ending }: Save) {
  const scores = history.versions.map((version) => scoreOf(history, version.number));
  const best = bestVersion(history, settings.bestVersion);
  return {
    step: history.step,
    status: status ?? statusOf(history, ending),
    reason: ending?.reason ?? null,
    alsoHeld: ending?.alsoHeld ?? [],
    success: ending?.success ?? false,
    failure: history.failure,
    pause: history.pause,
    pauseId: history.pause?.pauseId ?? null,
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
  if (ending.reason === 'model_failed' || ending.reason === 'evaluation_failed' || ending.reason === 'internal_error')
    return 'failed';
  return ending.reason === 'user_stopped' ? 'stopped' : 'finished';
}

/** A 1 or 0 for each version that was evaluated, in order. */
function satisfiedOf(history: History): string {
  return history.versions
    .map((version) => effectiveEvaluation(history, version.number))
    .flatMap((evaluation) => (evaluation === null ? [] : [evaluation.satisfactory ? '1' : '0']))
    .join('');
}
