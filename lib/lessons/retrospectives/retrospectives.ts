import type pg from 'pg';
import { z } from 'zod';
import { authorsOfRun } from '#lib/audit/contributions.ts';
import type { ModelCheck } from '#lib/core/lesson-library.ts';
import type { LessonKind } from '#lib/core/lesson-schema.ts';
import type { NamedService } from '#lib/core/named-models.ts';
import type { Spend } from '#lib/core/token-usage.ts';
import type { Database } from '#lib/database/database.ts';
import { storableJson } from '#lib/database/query-values.ts';
import { inPoolTransaction } from '#lib/database/transactions.ts';
import { addChecks } from '../lesson-checks.ts';
import { RETROSPECTIVE_STATUSES, type RetrospectiveRecord, retrospectiveSchema, retrospectiveStep } from './schema.ts';

/** Asks for a look back over a run; `scheduled`: nobody asked for it but the experiment's schedule. The run's row must be locked by the caller: numbers go on without a gap, from 1. */
export async function addRetrospective(
  client: Pick<pg.PoolClient, 'query'>,
  runId: string,
  { requestedBy, at, scheduled = false }: { requestedBy: string; at: Date; scheduled?: boolean },
): Promise<void> {
  await client.query(
    `INSERT INTO retrospectives (run_id, number, requested_by, requested_at, scheduled)
     SELECT $1, coalesce(max(number), 0) + 1, $2, $3, $4 FROM retrospectives WHERE run_id = $1`,
    [runId, requestedBy, at, scheduled],
  );
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
  SELECT l.id, $1, $2, l.kind, 'candidate', l.admission, l.text, l.fields, l.block, l.agent, l."taskType", l.tools, l."sourceInput", l."sourceScore", l."createdBy", ${authorsOfRun('$1::uuid', 'l.services')}, $3
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
  await inPoolTransaction(database, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE retrospectives SET status = $4, message = $5, counts = $6, input_tokens = $7, output_tokens = $8, cost_usd = $9, duration_ms = $10,
         settled_at = $11
       WHERE run_id = $1 AND number = $2 AND held_by = $3 AND status = 'waiting'`,
      [
        place.runId,
        place.number,
        place.holder,
        status,
        message,
        storableJson(counts),
        tokenUsage.input,
        tokenUsage.output,
        costUsd,
        Math.round(durationMs),
        now,
      ],
    );
    if (rowCount === 0 || lessons.length === 0) return;
    await client.query(ADD_LESSONS, [place.runId, retrospectiveStep(place.number), now, storableJson(lessons)]);
    const createdAt = now.toISOString();
    for (const { id, modelCheck } of lessons)
      if (modelCheck !== null) await addChecks(client, id, 0, [{ kind: 'model', edit: 0, createdAt, ...modelCheck }]);
  });
}

const row = z
  .object({
    ...retrospectiveSchema.shape,
    status: z.enum(RETROSPECTIVE_STATUSES),
    requestedAt: z.date(),
    settledAt: z.date().nullable(),
    lessons: retrospectiveSchema.shape.lessons.nullable(),
  })
  .transform(
    ({ requestedAt, settledAt, lessons, ...rest }): RetrospectiveRecord => ({
      ...rest,
      requestedAt: requestedAt.toISOString(),
      settledAt: settledAt?.toISOString() ?? null,
      lessons: lessons ?? [],
    }),
  );

/** All looks back over a run, in the order of asking. */
export async function listRetrospectives(database: Database, runId: string): Promise<RetrospectiveRecord[]> {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `SELECT number, status, requested_by AS "requestedBy", requested_at AS "requestedAt", settled_at AS "settledAt", counts, message,
       input_tokens + output_tokens AS tokens, cost_usd AS "costUsd",
       (SELECT json_agg(json_build_object('id', l.id, 'kind', l.kind, 'status', l.status, 'isMerged', l.merged_into_id IS NOT NULL, 'text', l.text) ORDER BY l.kind, l.id)
        FROM lessons l WHERE l.run_id = r.run_id AND l.step = ${retrospectiveStep(0)} - r.number) AS lessons
     FROM retrospectives r WHERE run_id = $1 ORDER BY number`,
    [runId],
  );
  return rows.map((found) => row.parse(found));
}
