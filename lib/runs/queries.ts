import { z } from 'zod';
import { DECISION_KINDS } from '#lib/core/decision-kinds.ts';
import { DECIDERS, type History } from '#lib/core/history.ts';
import { REUSED_RESPONSE_WARNING } from '#lib/core/reused-responses.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { RUN_STATUSES, type RunStatus } from '#lib/core/run-statuses.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { toRunRecord } from '#lib/core/to-run-record.ts';
import type { Database, DatabaseClient } from '#lib/database/database.ts';
import { Prisma } from '#lib/database/generated/client.ts';
import { unorderedQuery, withIsoTimes } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { criteriaColumn, messagesColumn } from '#lib/datasets/queries.ts';
import { recalledTexts } from '#lib/lessons/recall-queries.ts';
import { deleteJobs } from '#lib/queue/queries.ts';
import { tuningSummary, type WholeTuningSummary } from '#lib/statistics/tuning-summary.ts';
import { callSummarySchema, type StoredConversation, storedConversationSchema } from './call-schema.ts';
import { loadRun, type StoredRun } from './load-run.ts';
import { currentRateLimitSchema, outputHitSchema, type RunLessons, runLessonsSchema } from './schema.ts';

/** Returns the lessons in the prompts of a run's versions, and those it wrote, in their current state. Empty if the run does not exist. */
export async function findRunLessons(database: Database, runId: string): Promise<RunLessons> {
  const [recalled, rows] = await Promise.all([
    recalledTexts(database, runId),
    database.prisma.lesson.findMany({
      where: { runId },
      select: {
        ...{ id: true, kind: true, status: true, admission: true, withheld: true },
        ...{ mergedIntoId: true, version: true, text: true },
      },
      orderBy: [{ version: 'asc' }, { createdAt: 'asc' }, { id: 'asc' }],
    }),
  ]);
  const written = rows.map(({ withheld, admission, ...lesson }) => ({
    ...lesson,
    // A lesson withheld by screening counts as held immediately, before the worker has processed it.
    admission: withheld && lesson.status === 'candidate' && admission === 'waiting' ? 'held' : admission,
  }));
  return { recalled, written: runLessonsSchema.shape.written.parse(written) };
}

/** Progress of a run: its status and the number of its last stored event (0 before the first). */
type RunProgress = { status: string; eventNumber: number };

/** Returns the progress of a run, or null if it does not exist. Cheap enough to query after every event. */
export async function findRunProgress(database: Database, runId: string): Promise<RunProgress | null> {
  return database.prisma.run.findUnique({ where: { id: runId }, select: { status: true, eventNumber: true } });
}

const resultRow = z.object({
  id: z.string(),
  number: z.int(),
  status: z.string(),
  success: z.boolean(),
  convergenceReason: z.string().nullable(),
  input: z.string(),
  messages: messagesColumn,
  reference: z.string().nullable(),
  /** The version that is the run's result: the accepted one, otherwise the best. Null if none was accepted and none was scored. */
  version: z.int().nullable(),
  versionCount: z.int(),
  /** Null if the text was not kept or there is no version. */
  output: z.string().nullable(),
  score: z.number().nullable(),
  satisfactory: z.boolean(),
  criteriaScores: z.record(z.string(), z.number().nullable()),
  reasons: z.record(z.string(), z.string()),
  criteria: criteriaColumn,
});
/** The result of a run: the version that is its result, and its effective evaluation. */
export type RunResult = z.infer<typeof resultRow>;

/** Returns the result of a run, or null if the run does not exist. */
export async function findRunResult({ prisma }: DatabaseClient, runId: string): Promise<RunResult | null> {
  const run = await prisma.run.findUnique({
    where: { id: runId },
    select: {
      ...{ id: true, number: true, status: true, success: true, convergenceReason: true, input: true, reference: true },
      ...{ messages: true, criteria: true, versionCount: true, finalVersion: true, bestVersion: true },
    },
  });
  if (run === null) return null;
  const number = (run.convergenceReason === 'user_accepted' ? run.finalVersion : run.bestVersion) ?? NO_VERSION;
  const version = await prisma.reflectionVersion.findUnique({ where: { runId_number: { runId, number } } });
  const evaluations = await prisma.evaluation.findMany({
    where: { runId, version: version?.number ?? NO_VERSION },
    orderBy: { ordinal: 'desc' },
  });
  const restored = await prisma.decision.findFirst({
    where: { runId, decision: 'restore', version: number },
    orderBy: { ordinal: 'desc' },
  });
  const isPersons = ({ by, status, createdAt }: (typeof evaluations)[number]) =>
    by === 'person' && status === 'scored' && (restored === null || createdAt >= restored.at);
  const evaluation = evaluations.find(isPersons) ?? evaluations[0];
  return resultRow.parse({
    ...run,
    version: version?.number ?? null,
    output: version === null || version.outputDropped ? null : version.output,
    score: evaluation?.status === 'scored' ? evaluation.overallScore : null,
    satisfactory: evaluation?.satisfactory ?? false,
    criteriaScores: evaluation?.criteriaScores ?? {},
    reasons: evaluation?.reasons ?? {},
  });
}

const NO_VERSION = -1;

/** A run as shown on pages and in the API, with the history its record was made from. Example scores have no texts. */
export type FoundRun = {
  record: RunRecord;
  stored: StoredRun;
  settings: ExperimentSettings;
  experimentName: string;
  history: History;
  /** Scores of the run's prompts on its cases. Null unless the run tunes a prompt. */
  tuning: WholeTuningSummary | null;
};

/** Reads a run. Returns null if it does not exist. */
export async function findRun(database: Database, id: string): Promise<FoundRun | null> {
  const stored = await loadRun(database, id, 'scores');
  if (stored === null) return null;
  const { run, history, settings, experimentName } = stored;
  const {
    input,
    messages,
    reference,
    tags,
    metadata,
    criteria,
    branchedFromRunId: sourceId,
    branchedFromVersion: from,
  } = run;
  const source =
    sourceId === null
      ? null
      : await database.prisma.run.findUnique({ where: { id: sourceId }, select: { number: true } });
  const branchedFrom = from === null ? null : { runId: sourceId, number: source?.number ?? null, version: from };
  const record = toRunRecord(
    {
      id: run.id,
      number: run.number,
      experimentId: run.experimentId,
      experimentVersion: run.experimentVersion,
      batchId: run.batchId,
      branchedFrom,
      case: { input, ...(messages && { messages }), reference, tags, metadata, ...(criteria && { criteria }) },
      status: run.status,
      ending:
        run.convergenceReason === null
          ? null
          : {
              reason: run.convergenceReason,
              alsoHeld: run.alsoHeld,
              success: run.success,
              finalVersion: run.finalVersion,
            },
      createdAt: run.createdAt,
      startedAt: run.startedAt,
      finishedAt: run.finishedAt,
      lastEvent: run.eventNumber,
    },
    history,
    settings,
  );
  const tuning = settings.mode === 'tune' ? tuningSummary(history, settings) : null;
  return { record, stored, settings, experimentName, history, tuning };
}

/** Returns the number of runs that wait for a person. */
export function countWaitingRuns(database: Database): Promise<number> {
  return database.prisma.run.count({ where: { status: 'waiting' } });
}

/** Returns true if a run has this version (counted from 0). */
export async function hasRunVersion({ prisma }: Database, runId: string, version: number): Promise<boolean> {
  return (await prisma.reflectionVersion.count({ where: { runId, number: version } })) > 0;
}

/** Returns the runs branched from a run, oldest first, each with the version it started from. */
export async function findBranches(
  { prisma }: Database,
  runId: string,
): Promise<{ runId: string; number: number; version: number }[]> {
  const branches = await prisma.run.findMany({
    where: { branchedFromRunId: runId, branchedVersion: { not: null } },
    select: { id: true, number: true, branchedVersion: true },
    orderBy: { number: 'asc' },
  });
  return branches.map(({ id, number, branchedVersion }) => ({ runId: id, number, version: branchedVersion ?? 0 }));
}

/** Warnings of a run's model calls, and the cost of attempts that may have been billed although no response arrived. */
type RunWarnings = {
  warnings: { text: string; calls: number }[];
  /** Null if no attempt without a response may have been billed. */
  maybeBilled: { calls: number; tries: number; tokens: number; costUsd: number } | null;
};

const MAX_WARNINGS = 20;

/**
 * Returns the warnings of a run's calls, most frequent first, without those about responses paid for before. Also returns the total of the
 * calls that may have been billed.
 */
export async function findRunWarnings({ prisma }: DatabaseClient, runId: string): Promise<RunWarnings> {
  const [groups, billed] = await Promise.all([
    // Calls of one kind have identical warnings, so there are few groups.
    prisma.modelCall.groupBy({ by: 'warnings', where: { runId, warnings: { isEmpty: false } }, _count: true }),
    prisma.modelCall.findMany({
      where: { runId, maybeBilled: { not: Prisma.AnyNull } },
      select: { maybeBilled: true },
    }),
  ]);
  const counts = new Map<string, number>();
  for (const { warnings, _count } of groups)
    for (const text of warnings)
      if (text !== REUSED_RESPONSE_WARNING) counts.set(text, (counts.get(text) ?? 0) + _count);
  const parts = billed.flatMap(({ maybeBilled }) => callSummarySchema.shape.maybeBilled.parse(maybeBilled) ?? []);
  const sum = (amount: (part: (typeof parts)[number]) => number) => parts.reduce((all, part) => all + amount(part), 0);
  return {
    warnings: [...counts]
      .map(([text, calls]) => ({ text, calls }))
      .sort((one, other) => other.calls - one.calls || (one.text < other.text ? -1 : 1))
      .slice(0, MAX_WARNINGS),
    maybeBilled:
      parts.length === 0
        ? null
        : {
            calls: parts.length,
            tries: sum(({ tries }) => tries),
            tokens: sum(({ input, output }) => input + output),
            costUsd: sum(({ costUsd }) => costUsd ?? 0),
          },
  };
}

const pauseDecisionSchema = z.object({
  decision: z.enum(DECISION_KINDS),
  version: z.int().nullable(),
  by: z.enum(DECIDERS),
  actor: z.string().nullable(),
  at: z.date().transform((date) => date.toISOString()),
});
export type PauseDecision = z.infer<typeof pauseDecisionSchema>;

/** Returns the decision that ended a pause. Null if the pause is open, or if its run ended without a decision on it. */
export async function findPauseDecision({ prisma }: DatabaseClient, pauseId: string): Promise<PauseDecision | null> {
  const decision = await prisma.decision.findFirst({ where: { pauseId }, orderBy: { ordinal: 'desc' } });
  return decision === null ? null : pauseDecisionSchema.parse(decision);
}

const MAX_EXPIRED_PAUSES = 100;

/** Returns the runs with an expired pause, earliest expiry first, at most 100. The cost does not depend on the number of waiting runs. */
export async function runsWithExpiredPause({ prisma }: DatabaseClient, now: Date): Promise<string[]> {
  const runs = await prisma.run.findMany({
    where: { status: 'waiting', pauseExpiresAt: { lte: now } },
    select: { id: true },
    orderBy: { pauseExpiresAt: 'asc' },
    take: MAX_EXPIRED_PAUSES,
  });
  return runs.map(({ id }) => id);
}

/** SQL: true if the run of the row `r` waits for a rate limit. */
export const IS_RATE_LIMITED = `(r.status = 'running' AND r.pause_expires_at IS NOT NULL)`;

/** SQL: the rate limit that the run of the row `r` waits for, as `currentRateLimitSchema`. Null if it waits for none. */
export const CURRENT_RATE_LIMIT = `CASE WHEN ${IS_RATE_LIMITED} THEN json_build_object(
  'provider', r.rate_limit->>'provider', 'until', to_char(r.pause_expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) END`;

/**
 * Ends the wait of the oldest runs that wait for the rate limit of a model and returns them, oldest first. Transactions at the same time
 * get different runs. Skips batches on hold.
 */
export async function releaseWaiting(
  transaction: Transaction,
  { provider, model }: { provider: string; model: string },
  limit: number,
): Promise<string[]> {
  // As an array, the subquery runs once. With IN, it can run again for each run, past the limit.
  const released = await transaction.$queryRaw<{ id: string; number: number }[]>`
    UPDATE runs SET pause_expires_at = NULL WHERE id = ANY (ARRAY (
      SELECT r.id FROM runs r JOIN batches b ON b.id = r.batch_id
      WHERE r.status = 'running' AND r.pause_expires_at IS NOT NULL AND b.held IS NULL
        AND r.rate_limit->>'provider' = ${provider} AND r.rate_limit->>'model' = ${model}
      ORDER BY r.number LIMIT ${limit} FOR UPDATE OF r SKIP LOCKED))
    RETURNING id, number`;
  return released.sort((one, other) => one.number - other.number).map(({ id }) => id);
}

const queueRow = z.object({
  runId: z.string(),
  status: z.enum(RUN_STATUSES),
  experimentId: z.string(),
  experimentVersion: z.int(),
  /** Time of the next attempt of a failed job. Null for other jobs. */
  triedAgainAt: z.date().nullable(),
  rateLimit: currentRateLimitSchema.nullable(),
  /** Number of jobs that start before this one. */
  ahead: z.int(),
});
type QueueRow = z.infer<typeof queueRow>;

/** SQL: the queued run of batch $1 that starts first. */
const FIRST_QUEUED = `
  SELECT q.id FROM runs q LEFT JOIN pgboss.job b ON b.name = 'runs' AND b.singleton_key = q.id::text AND b.state < 'active'
  WHERE q.batch_id = $1::uuid AND q.status = 'queued' ORDER BY b.created_on NULLS LAST, b.id, q.position LIMIT 1`;

/** Returns the queue state of a run, or of the queued run of a batch that starts first. Null if there is no such run. */
export async function findQueueRow(
  { prisma }: DatabaseClient,
  of: { runId: string } | { batchId: string },
): Promise<QueueRow | null> {
  const [run, id] = 'runId' in of ? ['$1::uuid', of.runId] : [`(${FIRST_QUEUED})`, of.batchId];
  const [row] = await prisma.$queryRawUnsafe<unknown[]>(
    `SELECT r.id AS "runId", r.status, r.experiment_id AS "experimentId", r.experiment_version AS "experimentVersion",
        CASE WHEN j.start_after > now() THEN j.start_after END AS "triedAgainAt", ${CURRENT_RATE_LIMIT} AS "rateLimit",
        (SELECT count(*) FROM pgboss.job a WHERE a.name = 'runs' AND a.state < 'active' AND a.start_after <= now()
          AND (a.created_on, a.id) < (j.created_on, j.id))::int AS ahead
      FROM runs r LEFT JOIN LATERAL (
        SELECT * FROM pgboss.job j WHERE j.name = 'runs' AND j.singleton_key = r.id::text AND j.state < 'active' ORDER BY j.start_after LIMIT 1) j ON true
      WHERE r.id = ${run}`,
    id,
  );
  return row === undefined ? null : queueRow.parse(row);
}

/** `held`: number of calls in progress across all processes. */
export type ProviderLimitRow = {
  provider: string;
  maxConcurrency: number | null;
  held: number;
  nextCallAt: Date | null;
};

/** Returns the current usage of these providers' limits. Providers without limits are left out. */
export async function findProviderLimits(
  { prisma }: DatabaseClient,
  providers: string[],
  now: Date,
): Promise<ProviderLimitRow[]> {
  const limited = await prisma.provider.findMany({
    where: {
      name: { in: providers },
      OR: [{ maxConcurrency: { not: null } }, { maxRequestsPerMinute: { not: null } }],
    },
    select: {
      ...{ name: true, maxConcurrency: true, maxRequestsPerMinute: true, nextCallAt: true },
      providerSlots: { where: { holder: { not: null }, heldUntil: { gt: now } }, select: { slot: true } },
    },
    orderBy: { name: 'asc' },
  });
  return limited.map(({ name, maxConcurrency, maxRequestsPerMinute, nextCallAt, providerSlots }) => ({
    provider: name,
    maxConcurrency,
    held: providerSlots.length,
    nextCallAt: maxRequestsPerMinute !== null && nextCallAt !== null && nextCallAt > now ? nextCallAt : null,
  }));
}

/** A run, or all runs of an experiment. */
export type RunsOf = { runId: string } | { experimentId: string };

function whichRuns(runs: RunsOf): Prisma.Sql {
  return 'runId' in runs
    ? Prisma.sql`id = ${runs.runId}::uuid`
    : Prisma.sql`experiment_id = ${runs.experimentId}::uuid`;
}

/** Locks runs until the end of the transaction and returns their statuses. Empty if there is no such run. */
export async function lockRuns(transaction: Transaction, runs: RunsOf): Promise<string[]> {
  const rows = await transaction.$queryRaw<
    { status: string }[]
  >`SELECT status FROM runs WHERE ${whichRuns(runs)} FOR UPDATE`;
  return rows.map(({ status }) => status);
}

const MAX_TOKENS = 2_147_483_647;

/** Records the cost of runs as other spending, by month. */
export async function insertSpendOfRuns(transaction: Transaction, runs: RunsOf): Promise<void> {
  await transaction.$executeRaw`
    INSERT INTO other_spend (experiment_id, purpose, provider, calls, input_tokens, output_tokens, cost_usd, unpriced_calls, created_at)
    SELECT r.experiment_id, 'deleted_runs', c.provider, count(*), least(sum(c.input_tokens), ${MAX_TOKENS}), least(sum(c.output_tokens), ${MAX_TOKENS}),
      coalesce(sum(c.cost_usd), 0), count(*) FILTER (WHERE c.cost_usd IS NULL), max(c.created_at)
    FROM (SELECT id, experiment_id FROM runs WHERE ${whichRuns(runs)}) r JOIN model_calls c ON c.run_id = r.id AND c.attempts > 0
    GROUP BY r.experiment_id, c.provider, date_trunc('month', c.created_at)`;
}

/** Key of the stop-all request in the installation settings. */
export const STOP_ALL = 'stop_all';

/** Claims the stop-all request for a holder, or records its progress. */
type StopAllChange = { holder: string; leaseMs: number } | { id: string; stopped: number; doneAt: Date | null };

/** Updates the stop-all request and returns it. Null if it is done, another process holds it, or it was replaced by a newer request. */
export async function updateStopAll({ prisma }: DatabaseClient, change: StopAllChange): Promise<unknown> {
  const [added, condition] =
    'holder' in change
      ? [
          Prisma.sql`jsonb_build_object('heldBy', ${change.holder}::text, 'heldUntil', now() + ${change.leaseMs} * interval '1 millisecond')`,
          Prisma.sql`value->>'doneAt' IS NULL AND (value->>'heldBy' IS NULL OR value->>'heldBy' = ${change.holder} OR (value->>'heldUntil')::timestamptz < now())`,
        ]
      : [
          Prisma.sql`jsonb_build_object('stopped', (value->>'stopped')::int + ${change.stopped}::int)
            || ${JSON.stringify(change.doneAt === null ? {} : { doneAt: change.doneAt.toISOString() })}::jsonb`,
          Prisma.sql`value->>'id' = ${change.id}`,
        ];
  const [row] = await prisma.$queryRaw<{ value: unknown }[]>`
    UPDATE installation_settings SET value = value || ${added} WHERE key = ${STOP_ALL} AND ${condition} RETURNING value`;
  return row?.value ?? null;
}

/** Returns runs up to a number that have one of the statuses, except those in `tried`, ordered by the given statuses and then by number. */
export async function nextToStop(
  { prisma }: DatabaseClient,
  { statuses, upToNumber, tried }: { statuses: readonly RunStatus[]; upToNumber: number; tried: readonly string[] },
  limit: number,
): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT id FROM runs WHERE status = ANY (${statuses}::text[]) AND number <= ${upToNumber} AND NOT id = ANY (${tried}::uuid[])
    ORDER BY array_position(${statuses}::text[], status), number LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/** Deletes the queue jobs of unstarted runs, so that none starts while the runs are stopped one by one. */
export async function holdBackQueued(transaction: Transaction, upToNumber: number): Promise<void> {
  const where = { status: 'queued', number: { lte: upToNumber } };
  const queued = await transaction.run.findMany({ where, select: { id: true } });
  await deleteJobs(
    transaction,
    { queue: 'runs', begun: false },
    queued.map(({ id }) => id),
  );
}

/** Each part continues an earlier call, so the recursion ends. */
const CONVERSATION = `
  WITH RECURSIVE part AS (
    SELECT id, conversation, 0 AS depth FROM model_calls WHERE run_id = $1 AND id = $2
    UNION ALL
    SELECT earlier.id, earlier.conversation, part.depth + 1
    FROM part CROSS JOIN LATERAL (
      SELECT c.id, c.conversation FROM model_calls c
      WHERE c.run_id = $1 AND c.id < part.id AND c.fingerprint = part.conversation->>'after' AND c.conversation IS NOT NULL
      ORDER BY c.id DESC LIMIT 1) AS earlier)
  SELECT conversation FROM part ORDER BY depth`;

/** Returns the stored part of a call's conversation and of those it continues, latest first. */
export async function conversationParts(
  { prisma }: DatabaseClient,
  { id, runId }: { id: number; runId: string },
): Promise<StoredConversation[]> {
  const parts = await prisma.$queryRawUnsafe<{ conversation: unknown }[]>(CONVERSATION, runId, id);
  return parts.map(({ conversation }) => storedConversationSchema.parse(conversation));
}

const MAX_LISTED_CALLS = 20_000;

const callRow = callSummarySchema
  .omit({ version: true, tokenUsage: true })
  .extend({ input: z.int(), output: z.int() })
  .transform(({ input, output, ...call }) => ({ ...call, tokenUsage: { input, output, total: input + output } }));
/** A call in a list, without the version it was about, which comes from the run's history. */
export type ListedCall = z.infer<typeof callRow>;

/** Returns the calls of a run without their texts, in the order they were stored, at most `MAX_LISTED_CALLS`. */
export async function listCalls({ prisma }: DatabaseClient, runId: string): Promise<ListedCall[]> {
  const rows = await prisma.$queryRawUnsafe<object[]>(
    `SELECT id, step, ordinal, role, provider, model, finish_reason AS "finishReason", failure->>'kind' AS "failureKind",
        ARRAY(SELECT left(t->>'tool', 100) FROM json_array_elements(coalesce(tool_calls::json, '[]'::json)) AS t) AS tools,
        input_tokens AS input, output_tokens AS output, cached_tokens AS "cachedTokens", reasoning_tokens AS "reasoningTokens",
        cost_usd AS "costUsd", maybe_billed AS "maybeBilled", latency_ms AS "latencyMs", attempts, coalesce(cardinality(warnings), 0) AS warnings, created_at AS "createdAt"
      FROM model_calls WHERE run_id = $1 ORDER BY id LIMIT ${MAX_LISTED_CALLS}`,
    runId,
  );
  return z.array(callRow).parse(rows.map(withIsoTimes));
}

/** Number of characters of a text that are searched for the snippet. */
export const MAX_SNIPPET_SEARCH_LENGTH = 100_000;

const FOUND = `
  SELECT r.id AS "runId", r.number, r.experiment_id AS "experimentId", x.name AS "experimentName", left(r.input, 200) AS input, r.status, r.success,
    m.best_score AS "bestScore", r.finished_at AS "finishedAt", r.best_version AS "bestVersion", left(r.input, ${MAX_SNIPPET_SEARCH_LENGTH}) AS "wholeInput"
  FROM run_measures m JOIN runs r ON r.id = m.run_id JOIN experiments x ON x.id = r.experiment_id
  WHERE m.search @@ ${unorderedQuery('$1')} AND ($2::uuid IS NULL OR m.experiment_id = $2) AND ($3::int IS NULL OR r.number < $3)
  ORDER BY r.number DESC LIMIT $4`;

const hitRow = outputHitSchema
  .omit({ version: true, snippet: true })
  .extend({ bestVersion: z.int().nullable(), wholeInput: z.string() });

/** Returns ended runs whose input and outputs contain all words of a query (`prefixQuery`), newest first, with numbers below `before`. */
export async function findByWords(
  { prisma }: DatabaseClient,
  query: string,
  { experimentId, before, limit }: { experimentId: string | null; before: number | null; limit: number },
): Promise<z.infer<typeof hitRow>[]> {
  const rows = await prisma.$queryRawUnsafe<object[]>(FOUND, query, experimentId, before, limit);
  return z.array(hitRow).parse(rows.map(withIsoTimes));
}
