import type { z } from 'zod';
import { type Actor, personOf } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { LessonDetail, LessonFields, LessonScope } from '#lib/core/lesson-library.ts';
import type { LessonAdmission, LessonKind } from '#lib/core/lesson-schema.ts';
import { fail, notStored, type Result, succeed } from '#lib/core/problem.ts';
import { cleanJson } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { formatTitle } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { exchangedLessonSchema } from '#lib/lessons/exchange/exchanged-lesson.ts';
import { checkText } from './check-text.ts';
import { checkRows, type NewCheck } from './load-lesson.ts';
import { findLesson } from './queries.ts';
import { redactScope } from './redact-lesson.ts';
import { lessonInputSchema } from './schema.ts';

/** Stores a lesson from a person or program (`lessonInputSchema`) as a candidate. It is redacted and screened before anything is stored. */
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
  await inTransaction(database, async (transaction) => {
    await insertLessons(transaction, [lesson]);
    await recordChange(transaction, actor, {
      act: 'created',
      subject: { kind: 'lesson', id, name: formatTitle(text, 80) },
      change: { kind },
    });
  });
  const stored = await findLesson(database, id);
  return stored === null ? notStored('lesson', id) : succeed(stored);
}

type Source = z.output<typeof lessonInputSchema>['source'];

/** Checks that the run and version from which a lesson was learned exist. */
async function findOrigin(
  { database }: AppContext,
  { runId, iteration }: Source,
): Promise<Result<{ runId: string | null; version: number | null }>> {
  if (runId === null)
    return iteration === null
      ? succeed({ runId, version: null })
      : fail('invalid', 'source.iteration needs the run it belongs to: give source.runId too', 'source.iteration');
  const run = await database.prisma.run.findUnique({
    where: { id: runId },
    select: {
      versions: {
        where: { iteration: iteration ?? -1 },
        orderBy: { number: 'desc' },
        take: 1,
        select: { number: true },
      },
    },
  });
  if (run === null) return fail('invalid', `source.runId: there is no run ${runId}`, 'source.runId');
  const version = run.versions[0]?.number ?? null;
  if (iteration !== null && version === null)
    return fail('invalid', `source.iteration: the run made no version in iteration ${iteration}`, 'source.iteration');
  return succeed({ runId, version });
}

/** A redacted lesson that was not written by a run. */
export type NewLesson = {
  id: string;
  kind: LessonKind;
  admission: LessonAdmission;
  text: string;
  fields: LessonFields;
  scope: LessonScope;
  block: string;
  runId: string | null;
  version: number | null;
  sourceInput: string;
  sourceScore: number | null;
  createdBy: string;
  /** The author, who must not promote it if other people can. */
  authorId: string;
  createdAt: string;
  checks: NewCheck[];
};

/** Stores lessons as candidates, with the checks done on arrival. */
export async function insertLessons(transaction: Transaction, lessons: readonly NewLesson[]): Promise<void> {
  await transaction.lesson.createMany({
    data: lessons.map(({ checks: _checks, scope, ...lesson }) => ({
      ...cleanJson({ ...lesson, ...scope }),
      status: 'candidate',
    })),
  });
  await transaction.lessonCheck.createMany({ data: lessons.flatMap(({ id, checks }) => checkRows(id, 0, checks)) });
}
