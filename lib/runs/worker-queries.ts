import { countsAsCall } from '#lib/core/call-limit.ts';
import { EXAMPLE_SCORES_STEP } from '#lib/core/tuning/due-try.ts';
import type { Database, Queryable } from '#lib/database/database.ts';
import { storableJson } from '#lib/database/query-values.ts';
import { HAS_PROMOTED_LESSONS } from '#lib/lessons/lesson-status.ts';
import { FEW_CHANGES } from '#lib/lessons/write-queries.ts';
import { storedFingerprint } from '#lib/models/stored-fingerprint.ts';
import type { CallEntry } from './call-schema.ts';
import { measureInsert, NEW_REVISION, RECORD_INSERTS } from './result-records.ts';
import { TRY_COLUMNS } from './run-rows.ts';

/*
 * Statements on the worker's critical path in each step: claim and load a run, store its calls, and save its results. They are raw SQL sent
 * to the driver for three reasons, which `npm run bench` measures.
 * Each is a named statement, so a connection parses and plans it once. Fencing by claim, sums and inserts are one statement, so each step
 * needs one round trip and one commit. One statement saves the steps of many runs, which therefore share a commit. The meaning of these
 * rows is documented where they are used.
 */

type Pool = Pick<Database, 'pool'>;

/**
 * SQL: true if a process other than `process` performs the run of the row `runs`. A process that stopped responding counts until another
 * one has taken over from it, because after an outage of the database all heartbeats are old.
 */
const performedElsewhere = (process: string) => `(status = 'running' AND claimed_by IS DISTINCT FROM ${process}::uuid
  AND EXISTS (SELECT 1 FROM app_processes p WHERE p.id = claimed_by))`;

/** SQL: true if the run of the row `runs` has not started and waits until its batch is resumed. */
const WAITS_FOR_BATCH = `(status = 'queued' AND started_at IS NULL AND EXISTS (SELECT 1 FROM batches b WHERE b.id = batch_id AND b.held IS NOT NULL))`;

const CLAIM = `
  WITH claimed AS (
    UPDATE runs SET claim = claim + 1, claimed_by = $3, idle_claims = idle_claims + 1, status = 'running', started_at = coalesce(started_at, $2), pause_expires_at = NULL
    WHERE id = ANY ($1::uuid[]) AND status IN ('queued', 'running') AND NOT ${performedElsewhere('$3')} AND NOT ${WAITS_FOR_BATCH} RETURNING *)
  SELECT r.id, r.claim, r.idle_claims AS "idleClaims", r.event_number AS "eventNumber", r.experiment_id AS "experimentId", s.settings->>'mode' AS mode, ${HAS_PROMOTED_LESSONS} AS "hasLessons", to_json(r) AS run, e.name AS experiment_name, s.settings::text AS settings
  FROM claimed r
  JOIN experiments e ON e.id = r.experiment_id
  JOIN experiment_versions s ON s.experiment_id = r.experiment_id AND s.version = r.experiment_version`;

/** A claimed run, including its row as `run`, its `experiment_name` and its `settings` as JSON text. */
export type ClaimRow = {
  id: string;
  claim: number;
  idleClaims: number;
  eventNumber: number;
  experimentId: string;
  mode: string;
  hasLessons: boolean;
};

/**
 * Claims runs for a process. Returns those that were queued or left running, and that no other process performs, by ID.
 */
export async function claimRows(
  { pool }: Pool,
  runIds: readonly string[],
  now: Date,
  processId: string | null,
): Promise<Map<string, ClaimRow>> {
  const { rows } = await pool.query<ClaimRow>({ name: 'claim-runs', text: CLAIM, values: [runIds, now, processId] });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns true if another process currently performs a run. */
export async function isHeld({ pool }: Pool, runId: string, processId: string | null): Promise<boolean> {
  const { rows } = await pool.query({
    name: 'is-held',
    text: `SELECT 1 FROM runs WHERE id = $1 AND ${performedElsewhere('$2')}`,
    values: [runId, processId],
  });
  return rows.length > 0;
}

/** Returns SQL for the rows of a table as a JSON list, only for runs that match `condition`. Other runs do not pay for the query. */
const listWhere = (condition: string, list: string, from: string) =>
  `CASE WHEN ${condition} THEN (SELECT json_agg(${list}) FROM ${from} WHERE t.run_id = r.id) END`;
const IS_TUNING = `s.settings->>'mode' = 'tune'`;
const IS_AGENT = `s.settings->'generator'->'base'->>'type' IS DISTINCT FROM 'single'`;

/** SQL: the example scores of a tuning run without their texts, each column as a list. Null if there are none. */
const SCORES = `CASE WHEN count(*) > 0 THEN json_build_object('version', array_agg(t.version), 'position', array_agg(t.position), 'attempt', array_agg(t.attempt), 'step', array_agg(t.step),
  'score', array_agg(t.score), 'satisfactory', array_agg(t.satisfactory), 'paidBefore', array_agg(t.paid_before),
  'inputTokens', array_agg(t.input_tokens), 'outputTokens', array_agg(t.output_tokens), 'costUsd', array_agg(t.cost_usd), 'durationMs', array_agg(t.duration_ms),
  'criteriaScores', json_agg(t.criteria_scores)) END`;
const IN_ORDER = 'ORDER BY t.step, t.version, t.position, t.attempt';

const loadWith = (tries: string) => `
  SELECT to_json(r) AS run, e.name AS experiment_name, s.settings::text AS settings,
    (SELECT json_agg(v ORDER BY v.number) FROM reflection_versions v WHERE v.run_id = r.id) AS versions,
    (SELECT json_agg(v ORDER BY v.ordinal) FROM evaluations v WHERE v.run_id = r.id) AS evaluations,
    (SELECT json_agg(c ORDER BY c.id) FROM critiques c WHERE c.run_id = r.id) AS critiques,
    (SELECT json_agg(l ORDER BY l.step) FROM lessons l WHERE l.run_id = r.id
      AND (l.step > 0 OR (l.step = 0 AND l.author_id IS NULL AND NOT EXISTS (SELECT 1 FROM reflection_versions v WHERE v.run_id = r.id AND v.step = 0)))
      AND l.kind IN ('lesson', 'failure', 'partial', 'success')) AS lessons,
    (SELECT json_agg(d ORDER BY d.ordinal) FROM decisions d WHERE d.run_id = r.id) AS decisions, r.policy_decisions, r.policy_lines,
    (SELECT json_agg(k ORDER BY k.version, k.rank) FROM recalls k WHERE k.run_id = r.id) AS recalls,
    (SELECT json_build_object('tokens', coalesce(sum(c.input_tokens + c.output_tokens), 0), 'cost_usd', coalesce(sum(c.cost_usd), 0))
       FROM model_calls c WHERE c.run_id = r.id AND c.step >= r.step AND c.failure IS NULL AND r.finished_at IS NULL) AS open_calls,
    ${listWhere(
      IS_TUNING,
      "json_build_object('position', t.position, 'split', t.split, 'input', t.input, 'messages', t.messages, 'reference', t.reference, 'tags', t.tags, 'metadata', t.metadata, 'criteria', t.criteria) ORDER BY t.position",
      'run_cases t',
    )} AS cases,
    ${tries},
    ${listWhere(IS_AGENT, 't', 'agent_turns t')} AS turns,
    ${listWhere(IS_AGENT, 't', 'agent_observations t')} AS observations
  FROM runs r
  JOIN experiments e ON e.id = r.experiment_id
  JOIN experiment_versions s ON s.experiment_id = r.experiment_id AND s.version = r.experiment_version
  WHERE r.id = $1`;

/**
 * SQL: example scores without traces, which together could exceed the size limit of one JSON text. `withTraces` reads those of a proposal.
 */
const UNTRACED_TRIES = `(SELECT run_id, ${TRY_COLUMNS.columns.filter((column) => column !== 'trace').join(', ')} FROM case_tries) t`;

const LOAD = {
  whole: { name: 'load-run', text: loadWith(`${listWhere(IS_TUNING, `t ${IN_ORDER}`, UNTRACED_TRIES)} AS tries`) },
  scores: {
    name: 'load-run-scores',
    text: loadWith(
      `CASE WHEN ${IS_TUNING} THEN (SELECT ${SCORES} FROM (SELECT * FROM case_tries t WHERE t.run_id = r.id ${IN_ORDER}) t) END AS scores`,
    ),
  },
};

/**
 * Returns the row of a run, its settings as JSON text and all rows of its history as JSON lists. Null if the run does not exist. With
 * `scores`, the example scores are returned without their texts, as `scores`.
 */
export async function loadRow(
  { pool }: Pool,
  runId: string,
  tries: keyof typeof LOAD = 'whole',
): Promise<Record<string, unknown> | null> {
  const { rows } = await pool.query<Record<string, unknown>>({ ...LOAD[tries], values: [runId] });
  return rows[0] ?? null;
}

/** Lease of a piece of work, in milliseconds. After a crash another worker may claim it when the lease expires. */
export const WORK_LEASE_MS = 15_000;

/**
 * Tables of work that workers do for a run outside its loop. Each row is one piece (`run_id`, `number`). It is to be done while its status
 * is `waiting`, and claimed by one worker at a time (`held_by`, `held_until`).
 */
export type WorkTable = (typeof WORK_TABLES)[number];
const WORK_TABLES = ['rescores', 'retrospectives', 'ablations'] as const;

const NEXT_PIECE = (table: WorkTable) => `(run_id, number) = (
  SELECT run_id, number FROM ${table}
  WHERE run_id = $1 AND status = 'waiting' AND (held_until IS NULL OR held_until < now() OR held_until > now() + 2 * $3 * interval '1 millisecond')
  ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED)`;
const OWN_PIECES = "run_id = $1 AND held_by = $2 AND status = 'waiting'";

/**
 * Claims the next free piece of a run's work, or renews those the holder has, for one lease by the database's clock. Returns their numbers.
 */
export async function leaseWork(
  { pool }: Pool,
  { table, runId, holder }: { table: WorkTable; runId: string; holder: string },
  which: 'next' | 'own',
): Promise<number[]> {
  const { rows } = await pool.query<{ number: number }>(
    `UPDATE ${table} SET held_by = $2, held_until = now() + $3 * interval '1 millisecond'
     WHERE ${which === 'next' ? NEXT_PIECE(table) : OWN_PIECES} RETURNING number`,
    [runId, holder, WORK_LEASE_MS],
  );
  return rows.map(({ number }) => number);
}

/** Returns which of these runs have waiting work that nobody has claimed. */
export async function runsWithWaitingWork({ pool }: Pool, runIds: string[]): Promise<string[]> {
  const { rows } = await pool.query<{ runId: string }>({
    name: 'runs-with-waiting-work',
    text: WORK_TABLES.map(
      (table) => `SELECT run_id AS "runId" FROM ${table}
        WHERE run_id = ANY ($1::uuid[]) AND status = 'waiting' AND (held_until IS NULL OR held_until < now())`,
    ).join(' UNION '),
    values: [runIds],
  });
  return rows.map(({ runId }) => runId);
}

/** Columns of `model_calls` for `json_to_recordset`. The next constant lists the same columns. */
const CALL_RECORD = `step int, ordinal int, fingerprint text, role text, provider text, model text, instructions text, prompt text, options json,
  text text, "finishReason" text, failure json, "inputTokens" int, "outputTokens" int, "costUsd" float8, "latencyMs" int, attempts int, warnings text[],
  conversation jsonb, "toolCalls" jsonb, "callsLeftOut" int, thought text, "cachedTokens" int, "reasoningTokens" int, "maybeBilled" jsonb, "createdAt" timestamptz,
  quotes int[], answered int, "likeStep" int, kept int[], "sharedPrompt" uuid`;
const CALL_COLUMNS = `run_id, step, ordinal, fingerprint, role, provider, model, instructions, prompt, options, text, finish_reason, failure,
  input_tokens, output_tokens, cost_usd, latency_ms, attempts, warnings, conversation, tool_calls, calls_left_out, thought, cached_tokens, reasoning_tokens, maybe_billed, created_at, quotes, answered, like_step, kept, shared_prompt_id`;
const CALL_VALUES = `c.step, c.ordinal, c.fingerprint, c.role, c.provider, c.model, c.instructions, c.prompt, c.options, c.text, c."finishReason", c.failure,
  c."inputTokens", c."outputTokens", c."costUsd", c."latencyMs", c.attempts, nullif(c.warnings, '{}'),
  c.conversation, c."toolCalls", c."callsLeftOut", c.thought, c."cachedTokens", c."reasoningTokens", c."maybeBilled", c."createdAt", nullif(c.quotes, '{}'), c.answered, c."likeStep", c.kept, c."sharedPrompt"`;

/** Returns a call with its fingerprints as rows store them. */
export function withStoredFingerprints<Call extends CallEntry>(call: Call): Call {
  const { conversation } = call;
  const stored = { ...call, fingerprint: storedFingerprint(call.fingerprint) };
  if (conversation === undefined || conversation.after === null) return stored;
  return { ...stored, conversation: { ...conversation, after: storedFingerprint(conversation.after) } };
}

/** Returns the amounts that calls add to their run's totals. */
export function sumOf(calls: readonly CallEntry[]) {
  return {
    inputTokens: calls.reduce((sum, call) => sum + call.inputTokens, 0),
    outputTokens: calls.reduce((sum, call) => sum + call.outputTokens, 0),
    costUsd: calls.reduce((sum, call) => sum + (call.costUsd ?? 0), 0),
    unpriced: calls.some((call) => call.costUsd === null),
    callCount: countCalls(calls),
  };
}

/** Returns the number of calls that were really made. A response paid for before needed no call. See `countsAsCall` for failed ones. */
export function countCalls(calls: readonly Pick<CallEntry, 'attempts' | 'failure'>[]): number {
  return calls.filter(({ attempts, failure }) => countsAsCall({ kind: failure?.kind ?? '', attempts })).length;
}

/**
 * Identity of whoever stores calls of a run. Either the worker that performs it under a claim, or a request outside that worker (`claim:
 * null`), or the holder of a piece of work outside the loop. Calls of such work count in the totals and budgets of the experiment, but not
 * of the run.
 */
export type CallOwner =
  | { runId: string; claim: number | null }
  | { runId: string; table: WorkTable; number: number; holder: string };

const INSERT_CALLS = `INSERT INTO model_calls (${CALL_COLUMNS}) SELECT s.id, ${CALL_VALUES} FROM summed s, json_to_recordset($2::json) AS c(${CALL_RECORD})`;
/** Returns SQL that adds calls to the totals of the selected run and stores them. An ended run counts as changed by that. */
const addWhere = (run: string) => `
  WITH summed AS (UPDATE runs SET input_tokens = input_tokens + $3, output_tokens = output_tokens + $4, cost_usd = cost_usd + $5, unpriced = unpriced OR $6,
    call_count = call_count + $7 WHERE ${run} RETURNING id, finished_at),
  ended AS (UPDATE run_measures m SET revision = ${NEW_REVISION} FROM summed s WHERE s.finished_at IS NOT NULL AND m.run_id = s.id)
  ${INSERT_CALLS}`;
const ADD = { fenced: addWhere('id = $1 AND ($8::int IS NULL OR claim = $8)'), late: addWhere('id = $1') };
const ADD_QUEUED_WORK_SPEND =
  'UPDATE runs SET aside_tokens = aside_tokens + $3, aside_cost_usd = aside_cost_usd + $4 WHERE id = $1';
const buildAddQueuedWorkCalls = {
  // The lock prevents another worker from claiming the piece while the calls are written.
  fenced: (
    table: WorkTable,
  ) => `WITH held AS (SELECT run_id FROM ${table} WHERE run_id = $1 AND number = $5 AND held_by = $6 AND status = 'waiting' FOR SHARE),
    summed AS (${ADD_QUEUED_WORK_SPEND} AND EXISTS (SELECT 1 FROM held) RETURNING id) ${INSERT_CALLS}`,
  late: (_table: WorkTable) => `WITH summed AS (${ADD_QUEUED_WORK_SPEND} RETURNING id) ${INSERT_CALLS}`,
};

/** Stores calls. With `fenced`, only while their owner has the run or the piece of work. Returns the number of stored calls if fenced. */
export async function insertCalls(
  connection: Queryable,
  owner: CallOwner,
  calls: readonly CallEntry[],
  way: 'fenced' | 'late',
): Promise<number | null> {
  const { inputTokens, outputTokens, costUsd, unpriced, callCount } = sumOf(calls);
  const sent = [owner.runId, storableJson(calls.map(withStoredFingerprints))];
  const isFenced = way === 'fenced';
  const statement =
    'claim' in owner
      ? {
          ...(isFenced && { name: 'record-calls' }),
          text: ADD[way],
          values: [
            ...sent,
            ...[inputTokens, outputTokens, costUsd, unpriced, callCount],
            ...(isFenced ? [owner.claim] : []),
          ],
        }
      : {
          text: buildAddQueuedWorkCalls[way](owner.table),
          values: [
            ...[...sent, inputTokens + outputTokens, costUsd],
            ...(isFenced ? [owner.number, owner.holder] : []),
          ],
        };
  return (await connection.query(statement)).rowCount;
}

/** The state of a run for a late worker. `openStep` is the first step whose responses are still of use. */
type LockedRun = { experimentId: string; isOwn: boolean; isFree: boolean; openStep: number };

/** Locks the run of an owner and its piece of work until the end of the transaction. Returns null if there is none. */
export async function lockForCalls(connection: Queryable, owner: CallOwner): Promise<LockedRun | null> {
  const [text, values] =
    'claim' in owner
      ? [
          `SELECT experiment_id AS "experimentId", claim IS NOT DISTINCT FROM coalesce($2::int, claim) AS "isOwn", status <> 'running' AS "isFree", step AS "openStep"
           FROM runs WHERE id = $1::uuid FOR UPDATE`,
          [owner.runId, owner.claim],
        ]
      : [
          `SELECT r.experiment_id AS "experimentId", w.held_by IS NOT DISTINCT FROM $3::uuid AS "isOwn", w.held_by IS NULL AND w.status = 'waiting' AS "isFree", 0 AS "openStep"
           FROM runs r JOIN ${owner.table} w ON w.run_id = r.id WHERE r.id = $1::uuid AND w.number = $2 FOR UPDATE`,
          [owner.runId, owner.number, owner.holder],
        ];
  const { rows } = await connection.query<LockedRun>(text, values);
  return rows[0] ?? null;
}

type ToolResultRow = {
  owner: CallOwner;
  step: number;
  callId: string;
  fingerprint: string;
  status: string;
  text: string;
  durationMs: number;
  now: Date;
};

/**
 * Stores a tool result. The first result counts. Does nothing if the run was deleted, or if another worker has the run or the piece of
 * work.
 */
export async function insertToolResult({ pool }: Pool, result: ToolResultRow): Promise<void> {
  const { owner, step, callId, fingerprint, status, text, durationMs, now } = result;
  const [name, held, holder] =
    'claim' in owner
      ? ['run', `SELECT id FROM runs WHERE id = $1 AND (claim = $9 OR status <> 'running') FOR SHARE`, [owner.claim]]
      : [
          owner.table,
          `SELECT run_id AS id FROM ${owner.table} WHERE run_id = $1 AND number = $9 AND held_by = $10 FOR SHARE`,
          [owner.number, owner.holder],
        ];
  await pool.query({
    name: `keep-tool-result-${name}`,
    text: `INSERT INTO tool_results (run_id, step, call_id, fingerprint, status, text, duration_ms, created_at)
      SELECT id, $2, $3, $4, $5, $6, $7, $8 FROM (${held}) r
      ON CONFLICT DO NOTHING`,
    values: [owner.runId, step, callId, fingerprint, status, text, durationMs, now, ...holder],
  });
}

const SUMMARY = `place int, id uuid, claim int, "eventNumber" int, step int, status text, reason text, "alsoHeld" text[], success boolean, failure jsonb, pause jsonb, redraw jsonb,
    "pauseId" uuid, "pauseExpiresAt" timestamptz, "activeMs" int, "iterationsUsed" int, "versionCount" int, "bestVersion" int, "finalVersion" int, "firstScore" float8, "bestScore" float8,
    satisfied text, "finishedAt" timestamptz, events text, "eventCount" int, "movesEvents" boolean, "policyDecisions" text, "decisionCount" int, "evaluationCount" int,
    "inputTokens" int, "outputTokens" int, "costUsd" float8, unpriced boolean, "callCount" int`;
/** Approximate maximum number of events in a run's row. The next save moves them to `run_event_pages`. Most runs have fewer. */
export const EVENTS_IN_ROW = 50;
const UPDATE = `UPDATE runs SET step = s.step, status = s.status, convergence_reason = s.reason, also_held = nullif(s."alsoHeld", '{}'), success = s.success, failure = s.failure,
      pause = s.pause, redraw = s.redraw, pause_id = s."pauseId", pause_expires_at = s."pauseExpiresAt", active_ms = s."activeMs", iterations_used = s."iterationsUsed", version_count = s."versionCount",
      best_version = s."bestVersion", final_version = s."finalVersion", first_score = s."firstScore", best_score = s."bestScore", satisfied = s.satisfied,
      finished_at = s."finishedAt", idle_claims = 0, event_number = event_number + s."eventCount",
      event_lines = CASE WHEN s."movesEvents" THEN s.events ELSE event_lines || s.events END, policy_lines = policy_lines || s."policyDecisions", decision_count = decision_count + s."decisionCount",
      evaluation_count = evaluation_count + s."evaluationCount", input_tokens = input_tokens + s."inputTokens", output_tokens = output_tokens + s."outputTokens",
      cost_usd = cost_usd + s."costUsd", unpriced = runs.unpriced OR s.unpriced, call_count = call_count + s."callCount"`;
// The list of IDs makes the planner look up runs by ID, whatever number of rows it estimates for `summary`.
const FENCE = `FROM summary s WHERE runs.id = ANY ($1::uuid[]) AND runs.id = s.id AND runs.claim = s.claim AND event_number = s."eventNumber"
    RETURNING runs.id, s.place, runs.experiment_id, runs.experiment_version, runs.input, decision_count - s."decisionCount" AS first_decision,
      evaluation_count - s."evaluationCount" AS first_evaluation`;

/** SQL that stores each kind of record. The parameter `list` holds the records, each with the index of its save as `place`. */
const INSERTS = {
  calls: (list: string) => `INSERT INTO model_calls (${CALL_COLUMNS})
    SELECT f.id, ${CALL_VALUES} FROM fenced f JOIN json_to_recordset(${list}::json) AS c(place int, number int, ${CALL_RECORD}) USING (place) ORDER BY c.number`,
  // Each save sends the texts again, because they may have been deleted with the last call that referenced them. All savers insert in the
  // same order, so that they do not wait for each other.
  sharedPrompts: (
    list: string,
  ) => `INSERT INTO shared_prompts (experiment_id, id, instructions, prompt_start, prompt_end)
    SELECT f.experiment_id, p.id, p.instructions, p.start, p."end"
    FROM fenced f JOIN json_to_recordset(${list}::json) AS p(place int, id uuid, instructions text, start text, "end" text) USING (place)
    ORDER BY p.id ON CONFLICT DO NOTHING`,
  ...RECORD_INSERTS,
  measures: (list: string) => measureInsert('fenced', list),
  // In this statement `runs` still returns the row before the update, with the events that the update removes.
  eventPages: (list: string) => `INSERT INTO run_event_pages (run_id, last_number, lines)
    SELECT r.id, p."lastNumber", r.event_lines
    FROM fenced f JOIN json_to_recordset(${list}::json) AS p(place int, "lastNumber" int) USING (place) JOIN runs r ON r.id = f.id
    WHERE r.event_lines <> ''`,
  // Removes the results of tool calls that are no longer needed, by the beginnings of their ids.
  settledTools: (list: string) => `DELETE FROM tool_results t
    USING fenced f JOIN json_to_recordset(${list}::json) AS v(place int, beginning text) USING (place)
    WHERE t.run_id = f.id AND t.step = ${EXAMPLE_SCORES_STEP} AND starts_with(t.call_id, v.beginning)`,
};
type RecordKind = keyof typeof INSERTS;
const KINDS = Object.keys(INSERTS) as RecordKind[];

/** The records of a save by kind. */
export type SaveRecords = Record<RecordKind, readonly object[]>;

/** Notifications for other processes: a run has new events, or a decision was made on a running run. */
export type SaveNotice = 'hone_events' | 'hone_decisions';

/** Builds one statement from only the parts that have records. Each part has a cost even if it does nothing. */
function saveStatement(kinds: readonly RecordKind[], notices: readonly SaveNotice[]): string {
  const parts = [
    `summary AS (SELECT * FROM json_to_recordset($2::json) AS s(${SUMMARY}))`,
    `fenced AS (${UPDATE} ${FENCE})`,
    ...kinds.map((kind, position) => `kept_${kind} AS (${INSERTS[kind](`$${position + 3}`)})`),
  ];
  return `
  WITH ${parts.join(',\n  ')}
  SELECT f.id${notices.map((channel) => `, pg_notify('${channel}', f.id::text)::text`).join('')} FROM fenced f`;
}

/** Statements by name. Only few of the possible combinations occur. */
const statements = new Map<string, string>();

/** Saves runs and their records, unless their claim or event number is outdated. Returns the IDs of the saved runs. */
export async function insertResults(
  connection: Queryable,
  saves: readonly { summary: { id: string }; records: SaveRecords }[],
  notices: readonly SaveNotice[],
): Promise<Set<string>> {
  const summaries = saves.map(({ summary }, place) => ({ ...summary, place }));
  const lists = KINDS.map((kind) =>
    saves.flatMap(({ records }, place) => records[kind].map((record) => ({ ...record, place }))),
  );
  const kinds = KINDS.filter((_kind, index) => lists[index]?.length);
  const name = ['save-results', ...notices, lists.map(({ length }) => Number(length > 0)).join('')].join('-');
  const text = statements.get(name) ?? saveStatement(kinds, notices);
  statements.set(name, text);
  const values = [summaries, ...lists.filter(({ length }) => length > 0)].map(storableJson);
  const { rows } = await connection.query<{ id: string }>({
    name,
    text,
    values: [summaries.map(({ id }) => id), ...values],
  });
  return new Set(rows.map(({ id }) => id));
}

// Each part reads the first entry of an index, so the cost does not depend on the number of runs, lessons and deliveries. It uses no
// parameters and sorts in index order, because a generic plan would scan all runs.
const BACKGROUND_WORK = `
  SELECT (SELECT id FROM runs WHERE pause_expires_at <= now() ORDER BY pause_expires_at LIMIT 1) IS NOT NULL AS pauses,
    (SELECT id FROM webhook_deliveries WHERE next_try_at <= now() ORDER BY next_try_at LIMIT 1) IS NOT NULL
      OR (SELECT id FROM webhook_deliveries WHERE next_try_at > now() + interval '15 minutes' ORDER BY next_try_at DESC LIMIT 1) IS NOT NULL AS deliveries,
    (SELECT id FROM lessons WHERE admission = 'waiting' AND status = 'candidate' ORDER BY created_at, id DESC LIMIT 1) IS NOT NULL AS lessons,
    (SELECT run_id FROM run_measures WHERE NOT searched LIMIT 1) IS NOT NULL AS texts,
    EXISTS (SELECT 1 FROM uncounted_runs) AS "runTotals",
    (SELECT count(*) FROM lesson_totals) > ${FEW_CHANGES} AS "lessonTotals",
    EXISTS (SELECT 1 FROM installation_settings WHERE key = 'stop_all' AND value->>'doneAt' IS NULL) AS "stopAll",
    (extract(epoch FROM least(
      (SELECT pause_expires_at FROM runs WHERE pause_expires_at > now() ORDER BY pause_expires_at LIMIT 1),
      (SELECT next_try_at FROM webhook_deliveries WHERE next_try_at > now() ORDER BY next_try_at LIMIT 1)) - now()) * 1000)::float8 AS "nextMs"`;

/** Kinds of background work outside the runs. See `startBackgroundTasks`. */
export type BackgroundWork = 'pauses' | 'deliveries' | 'lessons' | 'texts' | 'runTotals' | 'lessonTotals' | 'stopAll';
/** `nextMs`: time until the next pause or delivery is due, in milliseconds. Null if none is waiting. */
export type FoundWork = Record<BackgroundWork, boolean> & { nextMs: number | null };

/** Returns the pending background work, read in one statement. */
export async function findBackgroundWork({ pool }: Pool): Promise<FoundWork> {
  const { rows } = await pool.query<FoundWork>({ name: 'work-beside', text: BACKGROUND_WORK });
  const [found] = rows;
  if (found === undefined) throw new Error('the database returned no row');
  return found;
}
