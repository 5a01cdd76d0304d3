import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Actor } from '#lib/auth/authorize.ts';
import { personOf } from '#lib/auth/person-of.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Problem, type Result, succeed } from '#lib/core/problem.ts';
import { lockUntilCommit } from '#lib/database/locks.ts';
import { openSpool, type Spool, type SpooledPlace } from '#lib/formats/spool.ts';
import type { ExchangedLesson } from '#lib/lessons/exchange/exchanged-lesson.ts';
import { insertLessons, type NewLesson } from './insert-lessons.ts';
import { type LessonUpload, MOST_LESSONS, readLessonUpload } from './read-lesson-upload.ts';
import { redactParts, redactScope } from './redact-parts.ts';
import { presentLessons } from './write-queries.ts';

/** How many are stored together. */
const AT_ONCE = 200;

/** As long as many lessons may take, and the import before this one. */
const LARGE = { maxWait: 15_000, timeout: 30 * 60_000 };

/** `present`: in the library already, or twice in what came in. */
export type ImportedLessons = { stored: number; present: number };

/**
 * Takes lessons of another library in: as candidates, whatever they were there, redacted before they are stored; the worker screens them.
 * One that is there already makes no second copy. A bad line or file is named, and then nothing is stored. Memory holds one lesson
 * while they are read and a part of them while they are stored, and only then is there a connection to the database.
 */
export async function importLessons(
  context: AppContext,
  actor: Actor,
  upload: LessonUpload,
): Promise<Result<ImportedLessons>> {
  const spool = await openSpool();
  try {
    const gathered = await gather(context, actor, upload, spool);
    if (!gathered.ok) return gathered;
    const { count, places } = gathered.value;
    return await context.database.prisma.$transaction(async (transaction) => {
      // Imports go one after another: of two with the same lessons the second one finds them there.
      await lockUntilCommit(transaction, 'import-lessons');
      let stored = 0;
      for (let from = 0; from < places.length; from += AT_ONCE) {
        const lessons = (await spool.read(places.slice(from, from + AT_ONCE))).map(spooledLesson);
        const present = await presentLessons(transaction, lessons.map(identityOf));
        const fresh = lessons.filter((_lesson, place) => !present.has(place));
        await insertLessons(transaction, fresh);
        stored += fresh.length;
      }
      const change = { stored, present: count - stored };
      await recordChange(transaction, actor, { act: 'imported', subject: { kind: 'lesson' }, change });
      return succeed(change);
    }, LARGE);
  } finally {
    await spool.close();
  }
}

/** How many there are, and where those wait that repeat no earlier one. */
type GatheredLessons = { count: number; places: SpooledPlace[] };

async function gather(
  context: AppContext,
  actor: Actor,
  upload: LessonUpload,
  spool: Spool,
): Promise<Result<GatheredLessons>> {
  const now = context.now().toISOString();
  const known = new Set<string>();
  const isKnown = (value: unknown) => {
    const before = known.size;
    return known.add(createHash('sha256').update(JSON.stringify(value)).digest('base64')).size === before;
  };
  const places: SpooledPlace[] = [];
  let count = 0;
  for await (const read of readLessonUpload(upload)) {
    if (!read.ok) return refusal(read.problem);
    count += 1;
    if (count > MOST_LESSONS)
      return fail(
        'too_large',
        `At most ${MOST_LESSONS.toLocaleString('en-US')} lessons come in at once. Split them into several imports. Nothing was stored.`,
      );
    // To redact one takes milliseconds: others get their turn in between.
    await nextTurn();
    if (isKnown(read.value)) continue;
    const lesson = await newLesson(context, actor, read.value, now);
    if (isKnown(identityOf(lesson))) continue;
    places.push(await spool.add(JSON.stringify(lesson)));
  }
  return count === 0 ? fail('invalid', 'There is no lesson in it. Nothing was stored.') : succeed({ count, places });
}

function refusal({ code, message, field }: Problem) {
  const whole = message.endsWith(NOTHING) ? message : `${message} ${NOTHING}`;
  return fail(code, whole, field);
}

const NOTHING = 'Nothing was stored.';

/** What `gather` wrote itself. */
function spooledLesson(text: string): NewLesson {
  return JSON.parse(text);
}

async function newLesson(context: AppContext, actor: Actor, lesson: ExchangedLesson, now: string): Promise<NewLesson> {
  const { kind, block, agent, taskType, tools, sourceScore } = lesson;
  const { found, ...clean } = await redactParts(lesson);
  const outcome = found.length === 0 ? ('clear' as const) : ('redacted' as const);
  return {
    ...{
      id: context.newId(),
      kind,
      block,
      sourceScore,
      ...clean,
      scope: await redactScope({ agent, taskType, tools }),
    },
    admission: 'waiting',
    runId: null,
    version: null,
    createdBy: 'import',
    // A person could bring their own text by this door too.
    authorId: personOf(actor),
    createdAt: lesson.createdAt === null || lesson.createdAt > now ? now : lesson.createdAt,
    checks: [{ kind: 'redact', outcome, found, edit: 0, createdAt: now }],
  };
}

function identityOf({ kind, text, block, scope: { agent, taskType } }: NewLesson) {
  return { kind, text, block, agent, taskType };
}
