import type pg from 'pg';
import type { AppContext } from '#lib/context/app-context.ts';
import type { LessonCheck, ScreeningFinding } from '#lib/core/lesson-library.ts';
import { inPoolTransaction } from '#lib/database/transactions.ts';
import { type CheckedText, checkText, screenedText } from './check-text.ts';
import { findRepeat } from './find-repeat.ts';
import { lessonsToAdmit, likelyRepeats, placeLesson, rewriteLesson, takeTurnToAdmit } from './lesson-admission.ts';
import { addChecks, type NewCheck } from './lesson-checks.ts';
import { isHeldByModel } from './lesson-review.ts';
import { type LoadedLesson, loadLesson } from './load-lesson.ts';
import { retainDeferred, retainLessons } from './retain-lessons.ts';
import { renewSources } from './review-lesson.ts';
import { termStatistics } from './term-statistics.ts';

/** `held`: the screening, or the model that checked it, found something. `changed`: somebody else was at it meanwhile, or it doesn't wait any more. */
type Admission = 'quarantined' | 'merged' | 'held' | 'changed';

/**
 * Takes a stored lesson that waits through redaction, screening and merging to the people who review it. All of it is kept in one
 * commit, or nothing: a worker that is killed leaves a lesson that waits, and of two workers on the same lesson one keeps its work. Steps
 * that the present text went through already are not repeated. Then puts away what is past its agent's retention.
 */
export async function admitLesson(context: AppContext, lessonId: string): Promise<Admission> {
  const { database } = context;
  const seen = await loadLesson(database.pool, lessonId, { lock: false });
  if (seen === null || !isWaiting(seen)) return 'changed';
  const now = context.now();
  // Outside of the transaction: it may take a moment, and others wait for their turn.
  const checked = await checkWaiting(seen, now);
  const { shares } = await termStatistics(database);
  const admitted = await inPoolTransaction(database, async (client): Promise<Admitted | null> => {
    await takeTurnToAdmit(client);
    const lesson = await loadLesson(client, lessonId, { lock: true });
    if (lesson === null || !isSame(lesson, seen)) return null;
    if (checked.rewritten !== null) await rewriteLesson(client, lessonId, checked.rewritten);
    const present = { ...lesson, text: checked.text };
    const isHeld = checked.findings.length > 0 || isHeldByModel(lesson);
    const outcome = await admit(client, present, { isHeld, shares, now });
    await addChecks(client, lessonId, lesson.checks.length, [...checked.checks, ...outcome.checks]);
    return outcome;
  });
  if (admitted === null) return 'changed';
  // Apart from it: no lesson is waited for by those who hold another one.
  if (admitted.mergedIntoId !== null) await renewSources(database, admitted.mergedIntoId);
  else if (seen.runId !== null && seen.scope.agent !== null)
    await retainLessons(context, { agent: seen.scope.agent, runId: seen.runId });
  return admitted.admission;
}

type Admitted = { admission: Exclude<Admission, 'changed'>; mergedIntoId: string | null; checks: NewCheck[] };

function isWaiting({ status, admission }: LoadedLesson): boolean {
  return status === 'candidate' && admission === 'waiting';
}

function isSame(lesson: LoadedLesson, seen: LoadedLesson): boolean {
  return isWaiting(lesson) && lesson.editCount === seen.editCount && lesson.checks.length === seen.checks.length;
}

type CheckedWaiting = { text: string; rewritten: CheckedText | null; checks: NewCheck[]; findings: ScreeningFinding[] };

/** The steps that the present text has not been through: none of them for one that came in by a door that took them itself. */
async function checkWaiting(lesson: LoadedLesson, now: Date): Promise<CheckedWaiting> {
  const done = (kind: LessonCheck['kind']) =>
    lesson.checks.some((check) => check.kind === kind && check.edit === lesson.editCount);
  if (done('redact'))
    return {
      text: lesson.text,
      rewritten: null,
      findings: screenedText(lesson.text),
      checks: screenRows(lesson, done('screen'), now),
    };
  const checked = await checkText(lesson, lesson.editCount, now);
  const isUnchanged = checked.text === lesson.text && checked.sourceInput === lesson.sourceInput;
  return { ...checked, rewritten: isUnchanged ? null : checked };
}

function screenRows(lesson: LoadedLesson, isScreened: boolean, now: Date): NewCheck[] {
  if (isScreened) return [];
  const findings = screenedText(lesson.text);
  return [
    {
      kind: 'screen',
      outcome: findings.length === 0 ? 'clear' : 'held',
      findings,
      edit: lesson.editCount,
      createdAt: now.toISOString(),
    },
  ];
}

/** Where the lesson goes now, and the rows of the steps that took it there. */
async function admit(
  client: pg.PoolClient,
  lesson: LoadedLesson,
  { isHeld, shares, now }: { isHeld: boolean; shares: ReadonlyMap<string, number>; now: Date },
): Promise<Admitted> {
  const row = { edit: lesson.editCount, createdAt: now.toISOString() };
  if (isHeld) {
    await placeLesson(client, lesson.id, { status: 'candidate', admission: 'held', mergedIntoId: null });
    return { admission: 'held', mergedIntoId: null, checks: [] };
  }
  const repeat = await repeatOf(client, lesson, shares);
  if (repeat !== null) {
    await placeLesson(client, lesson.id, { status: 'archived', admission: 'admitted', mergedIntoId: repeat.lessonId });
    return {
      admission: 'merged',
      mergedIntoId: repeat.lessonId,
      checks: [{ ...row, kind: 'merge', outcome: 'merged', into: repeat }],
    };
  }
  await placeLesson(client, lesson.id, { status: 'quarantined', admission: 'admitted', mergedIntoId: null });
  return {
    admission: 'quarantined',
    mergedIntoId: null,
    checks: [
      { ...row, kind: 'merge', outcome: 'none', into: null },
      { ...row, kind: 'quarantine', outcome: 'waiting' },
    ],
  };
}

/** The lesson that says the same; the newer one gives way, whatever became of the older. */
async function repeatOf(
  client: pg.PoolClient,
  lesson: LoadedLesson,
  shares: ReadonlyMap<string, number>,
): Promise<Extract<LessonCheck, { kind: 'merge' }>['into']> {
  const likely = await likelyRepeats(client, lesson, shares);
  const repeat = findRepeat(lesson.text, likely);
  const kept = likely.find(({ id }) => id === repeat?.id);
  return repeat === null || kept === undefined
    ? null
    : { lessonId: kept.id, status: kept.status, likeness: repeat.likeness };
}

/** Most lessons that are looked for at once. */
const AT_ONCE = 50;

/**
 * Admits the lessons that wait, oldest first, until none does or `signal` says stop. Answers how many. Safe beside other workers. One that
 * can't be admitted keeps none of the others from it: what went wrong is thrown when they are through. Then archives what agents have
 * beyond their retention and runs no longer use.
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
