import type { LessonAdmission, LessonCheck, LessonVerdict, ScreeningFinding } from '#lib/core/lesson-library.ts';
import type { LessonStatus } from '#lib/core/lesson-schema.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';

/** A lesson as a verdict finds it. */
export type JudgedLesson = {
  status: LessonStatus;
  admission: LessonAdmission;
  mergedIntoId: string | null;
  reviewedBy: string | null;
  /** When, as people are told it. */
  reviewedAt: string | null;
  editCount: number;
  /** Who made the last edit; null: nobody. */
  editedBy: string | null;
  checks: readonly LessonCheck[];
};

type GivenVerdict = {
  verdict: LessonVerdict;
  reason: string;
  /** The status the lesson had when its judge looked at it; null: they don't say. */
  seen: LessonStatus | null;
  /** How many edits the text had that its judge read; null: they don't say, which only a restore may. */
  editCount: number | null;
  /** Why its judge may not promote it: they had a part in its words; null where they may. */
  mayNot: string | null;
};

/** Where a verdict takes a lesson. */
export type JudgedPlace = { status: LessonStatus; admission: LessonAdmission };

/**
 * What a verdict makes of a lesson, or why it can't be given: promote what was screened (what the screening held, with a reason), reject
 * or archive what waits, archive what is promoted, restore what was rejected or archived to where it stood before. Rejecting and
 * archiving need a reason, and all but restoring the number of edits of the text that was read. Says what the lesson is now and who decided that when it changed meanwhile.
 */
export function verdictOn(lesson: JudgedLesson, given: GivenVerdict): Result<JudgedPlace> {
  if (given.editCount !== null && given.editCount !== lesson.editCount) return editedMeanwhile(lesson, given.editCount);
  if (given.seen !== null && given.seen !== lesson.status)
    return fail(
      'conflict',
      `It was ${given.seen} when you opened it, and now ${nowOf(lesson)}. Review it again before you decide.`,
    );
  if (!FROM[given.verdict].includes(lesson.status))
    return fail('conflict', `It can't be ${PAST[given.verdict]}: ${nowOf(lesson)}. ${WAY_OUT[lesson.status]}`);
  if (given.editCount === null && given.verdict !== 'restore')
    return fail(
      'invalid',
      `editCount must say which text you read, so that you ${given.verdict} no other one: send that of the lesson as you read it`,
      'editCount',
    );
  const needsReason = reasonNeeded(lesson, given.verdict);
  if (needsReason !== null && given.reason.trim() === '') return fail('invalid', `reason ${needsReason}`, 'reason');
  switch (given.verdict) {
    case 'promote':
      return promoted(lesson, given);
    case 'reject':
      return succeed({ status: 'rejected', admission: settled(lesson) });
    case 'archive':
      return succeed({ status: 'archived', admission: settled(lesson) });
    case 'restore':
      return succeed(placeByChecks(lesson));
  }
}

function editedMeanwhile({ editCount, editedBy }: JudgedLesson, seen: number): Result<never> {
  const who = editedBy ?? 'Someone';
  const edits = editCount === 1 ? '1 edit' : `${editCount} edits`;
  return fail(
    'conflict',
    `${who} edited this lesson after you opened it. It now has ${edits}, you saw ${seen}. Review it again before you decide.`,
  );
}

const FROM: Record<LessonVerdict, readonly LessonStatus[]> = {
  promote: ['candidate', 'quarantined'],
  reject: ['candidate', 'quarantined'],
  archive: ['candidate', 'quarantined', 'promoted'],
  restore: ['rejected', 'archived'],
};

const PAST: Record<LessonVerdict, string> = {
  promote: 'promoted',
  reject: 'rejected',
  archive: 'archived',
  restore: 'restored',
};

const WAY_OUT: Record<LessonStatus, string> = {
  candidate: 'Promote, reject or archive it.',
  quarantined: 'Promote, reject or archive it.',
  promoted: 'Archive it to take it out of every prompt.',
  rejected: 'Restore it first.',
  archived: 'Restore it first.',
};

function promoted(lesson: JudgedLesson, { mayNot }: GivenVerdict): Result<JudgedPlace> {
  if (mayNot !== null) return fail('forbidden', mayNot);
  switch (lesson.admission) {
    case 'waiting':
      return fail('conflict', 'The screening has not finished. It takes a few seconds. Try again then.');
    case 'staged':
      return fail('conflict', 'It is staged and not screened yet. Screen it, then look again before you promote it.');
    case 'held':
    case 'admitted':
      return succeed({ status: 'promoted', admission: 'admitted' });
  }
}

/** Why a verdict on this lesson needs a reason, in words that follow the name of the field; null: it needs none. */
export function reasonNeeded(lesson: Pick<JudgedLesson, 'admission'>, verdict: LessonVerdict): string | null {
  switch (verdict) {
    case 'reject':
      return 'must say why it is rejected';
    case 'archive':
      return 'must say why it is archived';
    case 'promote':
      return lesson.admission === 'held' ? 'must say why it is promoted although the screening held it' : null;
    case 'restore':
      return null;
  }
}

/** What was put away before it was screened is not admitted any more: the worker lets it be. */
function settled({ admission }: JudgedLesson): LessonAdmission {
  return admission === 'waiting' || admission === 'staged' ? 'admitted' : admission;
}

/** Where a lesson stands by what its checks found: before the reviewers, held, or still to be screened. */
export function placeByChecks({ checks, editCount }: Pick<JudgedLesson, 'checks' | 'editCount'>): JudgedPlace {
  const wasMerged = checks.some(({ kind }) => kind === 'merge');
  const screened = checks.findLast((check) => check.kind === 'screen' && check.edit === editCount);
  if (screened?.outcome === 'held' || isHeldByModel({ checks, editCount }))
    return { status: wasMerged ? 'quarantined' : 'candidate', admission: 'held' };
  if (screened === undefined || !wasMerged) return { status: 'candidate', admission: 'waiting' };
  return { status: 'quarantined', admission: 'admitted' };
}

/** Whether a model that looked at the present text has it held. */
export function isHeldByModel({ checks, editCount }: Pick<JudgedLesson, 'checks' | 'editCount'>): boolean {
  return checks.some(({ kind, outcome, edit }) => kind === 'model' && outcome === 'held' && edit === editCount);
}

function nowOf({ status, mergedIntoId, reviewedBy, reviewedAt }: JudgedLesson): string {
  if (mergedIntoId !== null) return `it is archived, merged into the lesson ${mergedIntoId}`;
  const by = reviewedBy === null ? '' : `, by ${reviewedBy}${reviewedAt === null ? '' : ` at ${reviewedAt}`}`;
  return `it is ${status}${status === 'candidate' || status === 'quarantined' ? '' : by}`;
}

/**
 * Whether what became of a lesson's uses speaks against it: it did harm at least twice, and more often than it helped. Such a lesson is
 * proposed for retirement while it is promoted; nothing retires it by itself.
 */
export function isRefuted({ helpful, harmful }: { helpful: number; harmful: number }): boolean {
  return harmful >= REFUTING_HARMS && harmful > helpful;
}

/** One bad outcome is within noise. */
export const REFUTING_HARMS = 2;

/** What a screening found that an earlier one did not find: another rule, or the same rule in another text. */
export function newFindings(
  before: readonly ScreeningFinding[],
  after: readonly ScreeningFinding[],
): ScreeningFinding[] {
  return after.filter(
    ({ family, rule, matched }) =>
      !before.some((known) => known.family === family && known.rule === rule && known.matched === matched),
  );
}
