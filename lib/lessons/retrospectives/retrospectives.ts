import { authorsOfRun } from '#lib/audit/contributions.ts';
import { decisionsWith } from '#lib/core/decision-kinds.ts';
import type { ModelCheck } from '#lib/core/lesson-library.ts';
import type { LessonKind } from '#lib/core/lesson-schema.ts';
import type { NamedService } from '#lib/core/named-models.ts';
import type { Spend } from '#lib/core/token-usage.ts';
import type { Database } from '#lib/database/database.ts';
import { storableJson } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { addChecks } from '../load-lesson.ts';
import { type RetrospectiveRecord, retrospectiveSchema, retrospectiveStep } from './schema.ts';

type Client = Pick<Database, 'prisma'>;

/** Asks for a look back over a run; `scheduled`: nobody asked for it but the experiment's schedule. The run's row must be locked by the caller: numbers go on without a gap, from 1. */
export async function addRetrospective(
  { retrospective }: Transaction,
  runId: string,
  { requestedBy, at, scheduled = false }: { requestedBy: string; at: Date; scheduled?: boolean },
): Promise<void> {
  const last = await retrospective.findFirst({ where: { runId }, orderBy: { number: 'desc' } });
  await retrospective.create({
    data: { runId, number: (last?.number ?? 0) + 1, requestedBy, requestedAt: at, scheduled },
  });
}

/** A lesson a retrospective leaves: a candidate of the library, learned from the run as a whole. */
export type NewRetrospectiveLesson = {
  id: string;
  kind: LessonKind;
  admission: 'waiting' | 'staged';
  text: string;
  fields: Record<string, string>;
  block: string;
  agent: string;
  taskType: string;
  tools: string[];
  sourceInput: string;
  sourceScore: number | null;
  createdBy: string;
  services: NamedService[];
  /** Null where no model was asked. */
  modelCheck: ModelCheck | null;
};

/** What became of a retrospective. */
export type SettledRetrospective = Spend & {
  status: 'done' | 'unusable' | 'failed';
  message: string | null;
  lessons: NewRetrospectiveLesson[];
};

const ADD_LESSONS = `
  INSERT INTO lessons (id, run_id, step, kind, status, admission, text, fields, block, agent, task_type, tools, source_input, source_score, created_by, authors, created_at)
  SELECT l.id, $1::uuid, $2::int, l.kind, 'candidate', l.admission, l.text, l.fields, l.block, l.agent, l."taskType", l.tools, l."sourceInput", l."sourceScore", l."createdBy", ${authorsOfRun('$1::uuid', 'l.services')}, $3::timestamptz
  FROM json_to_recordset($4::json) AS l(id uuid, kind text, admission text, text text, fields jsonb, block text, agent text, "taskType" text, tools text[], "sourceInput" text,
    "sourceScore" float8, "createdBy" text, services jsonb)`;

/** Keeps what became of a retrospective that `holder` has, together with its lessons; nothing where another one has settled it. */
export async function settleRetrospective(
  database: Database,
  place: { runId: string; number: number; holder: string },
  settled: SettledRetrospective,
  now: Date,
): Promise<void> {
  const { status, message, tokenUsage, costUsd, durationMs, lessons } = settled;
  const counts = Object.fromEntries(
    [...Map.groupBy(lessons, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length]),
  );
  await inTransaction(database, async (transaction) => {
    const { count } = await transaction.retrospective.updateMany({
      where: { runId: place.runId, number: place.number, heldBy: place.holder, status: 'waiting' },
      data: {
        ...{ status, message, counts, costUsd, settledAt: now },
        ...{ inputTokens: tokenUsage.input, outputTokens: tokenUsage.output, durationMs: Math.round(durationMs) },
      },
    });
    if (count === 0 || lessons.length === 0) return;
    await transaction.$executeRawUnsafe(
      ADD_LESSONS,
      ...[place.runId, retrospectiveStep(place.number), now, storableJson(lessons)],
    );
    const createdAt = now.toISOString();
    for (const { id, modelCheck } of lessons)
      if (modelCheck !== null)
        await addChecks(transaction, id, 0, [{ kind: 'model', edit: 0, createdAt, ...modelCheck }]);
  });
}

/** All looks back over a run, in the order of asking. */
export async function listRetrospectives({ prisma }: Client, runId: string): Promise<RetrospectiveRecord[]> {
  const rows = await prisma.retrospective.findMany({ where: { runId }, orderBy: { number: 'asc' } });
  if (rows.length === 0) return [];
  const left = await prisma.lesson.findMany({
    where: { runId, step: { in: rows.map(({ number }) => retrospectiveStep(number)) } },
    select: { id: true, kind: true, status: true, mergedIntoId: true, text: true, step: true },
    orderBy: [{ kind: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ inputTokens, outputTokens, requestedAt, settledAt, ...row }) =>
    retrospectiveSchema.parse({
      ...row,
      requestedAt: requestedAt.toISOString(),
      settledAt: settledAt?.toISOString() ?? null,
      tokens: inputTokens + outputTokens,
      lessons: left
        .filter(({ step }) => step === retrospectiveStep(row.number))
        .map(({ mergedIntoId, ...lesson }) => ({ ...lesson, isMerged: mergedIntoId !== null })),
    }),
  );
}

const ENDED = "r.status IN ('finished', 'failed', 'stopped') AND r.finished_at IS NOT NULL";

const LAST = `SELECT max(t.requested_at) FROM retrospectives t JOIN runs o ON o.id = t.run_id
  WHERE o.experiment_id = e.id AND t.scheduled`;

const TEACHES = decisionsWith(({ teaches }) => teaches === true);

/** Decisions that say something of what people want: all but those that only let the run go its way. */
const IMPORTANT = `d.by = 'person' AND (d.decision IN (${TEACHES.map((kind) => `'${kind}'`).join(', ')})
  OR (d.decision = 'allow' AND d.tool_arguments IS NOT NULL))`;

/** SQL: whether the settings of a version write lessons. */
const writesLessons = (version: string) =>
  `${version}.settings ->> 'mode' <> 'tune' AND ${version}.settings #>> '{lessons,write}' IS DISTINCT FROM 'off'`;

const DUE = `
  SELECT due.id
  FROM experiments e
  JOIN experiment_versions v ON v.experiment_id = e.id AND v.version = e.latest_version
  CROSS JOIN LATERAL (
    SELECT r.id, row_number() OVER (ORDER BY (SELECT count(*) FROM decisions d WHERE d.run_id = r.id AND ${IMPORTANT}) DESC,
      r.success, r.version_count DESC, r.number DESC) AS place
    FROM runs r
    JOIN experiment_versions s ON s.experiment_id = r.experiment_id AND s.version = r.experiment_version
    WHERE r.experiment_id = e.id AND ${ENDED} AND r.version_count > 0 AND r.finished_at > coalesce((${LAST}), '-infinity')
      AND ${writesLessons('s')} AND NOT EXISTS (SELECT 1 FROM retrospectives t WHERE t.run_id = r.id)
    ORDER BY place LIMIT coalesce((v.settings #>> '{lessons,lookBackRuns}')::int, 1)) due
  WHERE v.settings #>> '{lessons,lookBackEvery}' IS NOT NULL AND ${writesLessons('v')}
    AND (v.settings #>> '{lessons,lookBackEvery}')::int <= (
      SELECT count(*) FROM runs r
      WHERE r.experiment_id = e.id AND ${ENDED} AND r.finished_at > coalesce((${LAST}), '-infinity'))
  ORDER BY e.created_at, e.id, due.place`;

/**
 * The runs to look back over by schedule: of each experiment of which as many runs have ended since its last scheduled look back as
 * `lessons.lookBackEvery` says, the `lessons.lookBackRuns` of these that teach most. First those with the most important decisions of
 * people, then unsolved ones, then those with the most versions, the newest first. None that was looked back over before.
 */
export async function runsToLookBackOver({ prisma }: Client): Promise<string[]> {
  const rows = await prisma.$queryRawUnsafe<{ id: string }[]>(DUE);
  return rows.map(({ id }) => id);
}
