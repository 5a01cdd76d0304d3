import type { z } from 'zod';
import type { Actor } from '#lib/auth/authorize.ts';
import { personOf } from '#lib/auth/person-of.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { LessonDetail } from '#lib/core/lesson-library.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from '#lib/database/database.ts';
import { inPoolTransaction } from '#lib/database/transactions.ts';
import { formatTitle } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { exchangedLessonSchema } from '#lib/lessons/exchange/exchanged-lesson.ts';
import { checkText } from './check-text.ts';
import { insertLessons } from './insert-lessons.ts';
import { lessonInputSchema } from './lesson-input.ts';
import { findLesson } from './queries.ts';
import { redactScope } from './redact-parts.ts';
import { noLesson } from './review-lesson.ts';

const FIND = `
  SELECT (SELECT max(v.number) FROM reflection_versions v WHERE v.run_id = r.id AND v.iteration = $2) AS version FROM runs r WHERE r.id = $1`;

/** The last version that a run made in an iteration: null where it made none in it, undefined where there is no such run. */
async function versionOfIteration(
  { pool }: Pick<Database, 'pool'>,
  runId: string,
  iteration: number | null,
): Promise<number | null | undefined> {
  const { rows } = await pool.query<{ version: number | null }>(FIND, [runId, iteration]);
  return rows[0]?.version;
}

/** Stores a lesson that a person or program brings (`lessonInputSchema`): a candidate, redacted and screened before anything is kept. */
export async function addLesson(context: AppContext, actor: Actor, input: unknown): Promise<Result<LessonDetail>> {
  const parsed = parseInput(lessonInputSchema, input);
  if (!parsed.ok) return parsed;
  const { kind, block, scope, source } = parsed.value;
  const form = parseInput(exchangedLessonSchema, { kind, text: parsed.value.text, fields: parsed.value.fields });
  if (!form.ok) return form;
  const { database } = context;
  const origin = await findOrigin(context, source);
  if (!origin.ok) return origin;
  const now = context.now();
  const parts = { kind, text: form.value.text, fields: form.value.fields, sourceInput: source.input };
  const { text, fields, sourceInput, checks, findings } = await checkText(parts, 0, now);
  const id = context.newId();
  const lesson = {
    ...{ id, kind, text, fields, block, sourceInput, checks, ...origin.value },
    scope: await redactScope(scope),
    admission: findings.length === 0 ? ('waiting' as const) : ('held' as const),
    sourceScore: source.score,
    createdBy: actor.name,
    authorId: personOf(actor),
    createdAt: now.toISOString(),
  };
  await inPoolTransaction(database, async (client) => {
    await insertLessons(client, [lesson]);
    await recordChange(client, actor, {
      act: 'created',
      subject: { kind: 'lesson', id, name: formatTitle(text, 80) },
      change: { kind },
    });
  });
  const stored = await findLesson(database, id);
  return stored === null ? noLesson(id) : succeed(stored);
}

type Source = z.output<typeof lessonInputSchema>['source'];

/** The run and version that a lesson says it was learned from; they must be there. */
async function findOrigin(
  { database }: AppContext,
  { runId, iteration }: Source,
): Promise<Result<{ runId: string | null; version: number | null }>> {
  if (runId === null)
    return iteration === null
      ? succeed({ runId, version: null })
      : fail('invalid', 'source.iteration needs the run it belongs to: give source.runId too', 'source.iteration');
  const version = await versionOfIteration(database, runId, iteration);
  if (version === undefined) return fail('invalid', `source.runId: there is no run ${runId}`, 'source.runId');
  if (iteration !== null && version === null)
    return fail('invalid', `source.iteration: the run made no version in iteration ${iteration}`, 'source.iteration');
  return succeed({ runId, version });
}
