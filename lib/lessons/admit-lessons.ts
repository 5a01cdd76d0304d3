import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { LessonCheck, ScreeningFinding } from '#lib/core/lesson-library.ts';
import type { LessonStatus } from '#lib/core/lesson-schema.ts';
import { fail, notStored, type Result, succeed } from '#lib/core/problem.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import { lockUntilCommit } from '#lib/database/locks.ts';
import { cleanJson } from '#lib/database/query-values.ts';
import { isUnreachable } from '#lib/database/retry-while-unreachable.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { formatTitle } from '#lib/format.ts';
import { type CheckedText, checkText, screenCheck, screenedText } from './check-text.ts';
import { findOpposite, findRepeat } from './find-repeat.ts';
import { addChecks, type LoadedLesson, loadLesson, type NewCheck } from './load-lesson.ts';
import { inputTerms, termStatistics } from './recall-queries.ts';
import type { ReviewedLesson } from './review-lesson.ts';
import { isHeldByModel } from './review-status.ts';
import { archiveBeyondRetention, lessonsToAdmit, likelyRepeats, renewSources } from './write-queries.ts';

/** A state that admission decides, with the check rows that led to it. */
type Admitted = {
  status: LessonStatus;
  admission: 'held' | 'admitted';
  mergedIntoId: string | null;
  checks: NewCheck[];
};

/**
 * Redacts, screens and merges a waiting lesson, and hands it to the reviewers. All of it is one commit: if the worker is killed, the lesson
 * keeps waiting. If two workers process the same lesson, only one commits. Steps already done for the current text are not repeated. Then
 * archives lessons beyond the agent's retention. Returns `changed` if the lesson changed in the meantime or is no longer waiting.
 */
export async function admitLesson(
  context: AppContext,
  lessonId: string,
): Promise<'quarantined' | 'merged' | 'held' | 'changed'> {
  const { database } = context;
  const seen = await loadLesson(database.prisma, lessonId, { lock: false });
  if (seen === null || !isWaiting(seen)) return 'changed';
  const now = context.now();
  // Outside of the transaction, because it may be slow and would hold a lock.
  const checked = await checkWaiting(seen, now);
  const [{ shares }, terms] = await Promise.all([termStatistics(database), inputTerms(database, checked.text)]);
  const likely = { shares, words: terms.map(({ word }) => word).filter(({ length }) => length < MAX_WORD_LENGTH) };
  const admitted = await inTransaction(database, async (transaction): Promise<Admitted | null> => {
    await lockUntilCommit(transaction, ADMITTING);
    const lesson = await loadLesson(transaction, lessonId, { lock: true });
    if (lesson === null || !isSame(lesson, seen)) return null;
    if (checked.rewritten !== null) {
      const { text, fields, sourceInput } = checked.rewritten;
      await transaction.lesson.updateMany({ where: { id: lessonId }, data: cleanJson({ text, fields, sourceInput }) });
      await transaction.lessonEmbedding.deleteMany({ where: { lessonId } });
    }
    const isHeld = checked.findings.length > 0 || isHeldByModel(lesson);
    const outcome: Admitted = isHeld
      ? { status: 'candidate', admission: 'held', mergedIntoId: null, checks: [] }
      : await admit(transaction, { ...lesson, text: checked.text }, likely, now);
    const { checks, ...data } = outcome;
    await transaction.lesson.updateMany({ where: { id: lessonId }, data });
    await addChecks(transaction, lessonId, lesson.checks.length, [...checked.checks, ...checks]);
    return outcome;
  });
  if (admitted === null) return 'changed';
  // In a separate transaction, so that locks on several lessons cannot block each other.
  if (admitted.mergedIntoId !== null) await renewSources(database, admitted.mergedIntoId);
  else if (seen.runId !== null && seen.scope.agent !== null)
    await retainLessons(context, { agent: seen.scope.agent, runId: seen.runId });
  if (admitted.admission === 'held') return 'held';
  return admitted.mergedIntoId === null ? 'quarantined' : 'merged';
}

function isWaiting({ status, admission }: LoadedLesson): boolean {
  return status === 'candidate' && admission === 'waiting';
}

function isSame(lesson: LoadedLesson, seen: LoadedLesson): boolean {
  return isWaiting(lesson) && lesson.editCount === seen.editCount && lesson.checks.length === seen.checks.length;
}

type CheckedWaiting = { text: string; rewritten: CheckedText | null; checks: NewCheck[]; findings: ScreeningFinding[] };

/** Runs the checks that are missing for the current text. Some sources have already done them. */
async function checkWaiting(lesson: LoadedLesson, now: Date): Promise<CheckedWaiting> {
  const { text, editCount } = lesson;
  const done = (kind: LessonCheck['kind']) =>
    lesson.checks.some((check) => check.kind === kind && check.edit === editCount);
  if (done('redact')) {
    const findings = screenedText(text);
    const checks = done('screen') ? [] : [screenCheck(findings, editCount, now)];
    return { text, rewritten: null, findings, checks };
  }
  const checked = await checkText(lesson, editCount, now);
  const isUnchanged = checked.text === text && checked.sourceInput === lesson.sourceInput;
  return { ...checked, rewritten: isUnchanged ? null : checked };
}

/** Maximum length of a word to search for. The search index does not store longer words. */
const MAX_WORD_LENGTH = 500;
/** The stems of a text, and the frequency of common words among the lessons. */
type LikelyWords = Parameters<typeof likelyRepeats>[2];

/** Decides the next state of a lesson that the screening did not hold: it is merged into an older one or waits for review. */
async function admit(
  transaction: Transaction,
  lesson: LoadedLesson,
  likely: LikelyWords,
  now: Date,
): Promise<Admitted> {
  const row = { edit: lesson.editCount, createdAt: now.toISOString() };
  const { repeat, opposite } = await compared(transaction, lesson, likely);
  if (repeat !== null)
    return {
      ...{ status: 'archived', admission: 'admitted', mergedIntoId: repeat.lessonId },
      checks: [{ ...row, kind: 'merge', outcome: 'merged', into: repeat }],
    };
  return {
    ...{ status: 'quarantined', admission: 'admitted', mergedIntoId: null },
    checks: [
      { ...row, kind: 'merge', outcome: 'none', into: opposite },
      { ...row, kind: 'quarantine', outcome: 'waiting' },
    ],
  };
}

type Compared = Extract<LessonCheck, { kind: 'merge' }>['into'];

/**
 * Returns the lesson that this one repeats, and the lesson in use or in review that it may contradict. The newer of two repeats is merged,
 * whatever the status of the older one.
 */
async function compared(
  transaction: Transaction,
  lesson: LoadedLesson,
  words: LikelyWords,
): Promise<{ repeat: Compared; opposite: Compared }> {
  const likely = await likelyRepeats(transaction, lesson, words);
  const present = likely.filter(({ status }) => status === 'promoted' || status === 'quarantined');
  const found = (one: ReturnType<typeof findRepeat>): Compared => {
    const existing = likely.find(({ id }) => id === one?.id);
    return one === null || existing === undefined
      ? null
      : { lessonId: existing.id, status: existing.status, likeness: one.similarity };
  };
  return { repeat: found(findRepeat(lesson.text, likely)), opposite: found(findOpposite(lesson.text, present)) };
}

/** Maximum number of lessons loaded at once. */
const AT_ONCE = 50;

/**
 * Admits waiting lessons, oldest first, until none is left or `signal` is aborted. Returns their number. Several workers can run it
 * concurrently. If a lesson fails, the others are still admitted, and its error is thrown at the end. An error of an outage is thrown at
 * once. Then archives lessons that exceed their agent's retention and are no longer used by runs.
 */
export async function admitLessons(context: AppContext, signal: AbortSignal): Promise<number> {
  let admitted = 0;
  for (;;) {
    const ids = await lessonsToAdmit(context.database, AT_ONCE);
    const errors: unknown[] = [];
    for (const id of ids) {
      if (signal.aborted) return admitted;
      try {
        if ((await admitLesson(context, id)) !== 'changed') admitted++;
      } catch (error) {
        if (isUnreachable(error)) throw error;
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} lessons could not be admitted`);
    if (ids.length < AT_ONCE) {
      await retainDeferred(context, signal);
      return admitted;
    }
  }
}

/** Immediately screens and admits a lesson that was staged or waits for the worker. Returns its new state. */
export async function requestScreening(
  context: AppContext,
  actor: Actor,
  lessonId: string,
): Promise<Result<ReviewedLesson>> {
  const { database } = context;
  const released = await inTransaction(database, async (transaction) => {
    const lesson = await loadLesson(transaction, lessonId, { lock: true });
    if (lesson === null) return notStored('lesson', lessonId);
    const { status, admission } = lesson;
    if (status !== 'candidate' || admission === 'held' || admission === 'admitted')
      return fail('conflict', `It is ${status} and was screened already: its page shows what was found.`);
    const data = { admission: 'waiting', mergedIntoId: null };
    await transaction.lesson.updateMany({ where: { id: lessonId }, data });
    await recordChange(transaction, actor, {
      act: 'requested',
      subject: { kind: 'lesson', id: lessonId, name: formatTitle(lesson.text, 80) },
      change: { what: 'screening' },
    });
    return succeed(null);
  });
  if (!released.ok) return released;
  await admitLesson(context, lessonId);
  const lesson = await loadLesson(database.prisma, lessonId, { lock: false });
  if (lesson === null) return notStored('lesson', lessonId);
  return succeed({ id: lessonId, status: lesson.status, admission: lesson.admission });
}

/**
 * Lock for deduplicating, admitting and archiving lessons, one process at a time. It ensures that one of two identical new lessons finds
 * the other.
 */
const ADMITTING = 'admit-lessons';

/** Returns the number of unreviewed lessons per agent that the run's experiment keeps. Null if all are kept or the run was deleted. */
async function retentionOf(transaction: Transaction, runId: string): Promise<number | null> {
  const run = await transaction.run.findUnique({ where: { id: runId }, select: { settings: true } });
  return run === null ? null : settingsSchema.parse(run.settings.settings).lessons.retentionPerAgent;
}

/** Agents over their retention limit whose lessons are in use by unfinished runs. Each maps to the run that defines the limit. */
const deferred = new WeakMap<Database, Map<string, string>>();

/**
 * Archives an agent's lessons beyond the retention limit of the run's experiment: see `archiveBeyondRetention`. Lessons in use by
 * unfinished runs are left to `retainDeferred`.
 */
export async function retainLessons(
  { database, now }: AppContext,
  { agent, runId }: { agent: string; runId: string },
): Promise<void> {
  const { isAnyInUse } = await inTransaction(database, async (transaction) => {
    // This transaction locks several lessons and must not wait for one while it holds another.
    await lockUntilCommit(transaction, ADMITTING);
    const keep = await retentionOf(transaction, runId);
    return keep === null ? { isAnyInUse: false } : archiveBeyondRetention(transaction, { agent, keep, now: now() });
  });
  const waiting = deferred.get(database) ?? new Map<string, string>();
  deferred.set(database, waiting);
  if (isAnyInUse) waiting.set(agent, runId);
  else waiting.delete(agent);
}

/** Returns true if this process has deferred archiving for agents whose lessons are in use by unfinished runs. */
export function hasDeferred(database: Database): boolean {
  return (deferred.get(database)?.size ?? 0) > 0;
}

/** Retries archiving for the agents that this process deferred because unfinished runs used their lessons. */
async function retainDeferred(context: AppContext, signal: AbortSignal): Promise<void> {
  for (const [agent, runId] of [...(deferred.get(context.database) ?? [])])
    if (!signal.aborted) await retainLessons(context, { agent, runId });
}

/**
 * Returns the lessons that a person rejected or archived, directly or through the lesson they were merged into, and those that screening
 * holds for review. Excludes lessons archived by retention without a review, because a run that failed meanwhile continues with its own.
 */
export async function refusedLessons(database: Database, ids: string[]): Promise<Set<string>> {
  const refused = [{ status: 'rejected' }, { status: 'archived', reviewedAt: { not: null } }];
  const found = await database.prisma.lesson.findMany({
    where: {
      id: { in: ids },
      OR: [
        { mergedIntoId: null, OR: refused },
        { mergedInto: { mergedIntoId: null, OR: refused } },
        { status: 'candidate', admission: 'held' },
      ],
    },
    select: { id: true },
  });
  return new Set(found.map(({ id }) => id));
}
