import type { LessonCheck, ScreeningFinding } from '#lib/core/lesson-library.ts';
import type { LessonAdmission, LessonStatus, LessonVerdict } from '#lib/core/lesson-schema.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';

/** State of a lesson before a decision. */
export type JudgedLesson = {
  status: LessonStatus;
  admission: LessonAdmission;
  mergedIntoId: string | null;
  reviewedBy: string | null;
  /** Review time as shown to people. */
  reviewedAt: string | null;
  editCount: number;
  /** Author of the last edit. Null if there is none. */
  editedBy: string | null;
  checks: readonly LessonCheck[];
};

type VerdictInput = {
  verdict: LessonVerdict;
  reason: string;
  /** Status of the lesson when the reviewer saw it. Null if not given. */
  seen: LessonStatus | null;
  /** Number of edits of the text that the reviewer saw. Null if not given, which only a restore allows. */
  editCount: number | null;
  /** The reason why the reviewer may not promote it: they contributed to its text. Null if they may. */
  mayNot: string | null;
};

/** State of a lesson after a decision. */
export type ReviewStatus = { status: LessonStatus; admission: LessonAdmission };

/**
 * Returns the state of a lesson after a decision, or why the decision is not allowed. Screened lessons can be promoted (held ones only with
 * a reason), waiting ones rejected or archived, promoted ones archived, and rejected or archived ones restored to their previous state.
 * Rejecting and archiving require a reason. All decisions except restoring require the edit count of the text that was read. If the lesson
 * changed in the meantime, the error contains its current state and who decided that.
 */
export function applyVerdict(lesson: JudgedLesson, input: VerdictInput): Result<ReviewStatus> {
  if (input.editCount !== null && input.editCount !== lesson.editCount) return editConflict(lesson, input.editCount);
  if (input.seen !== null && input.seen !== lesson.status)
    return fail(
      'conflict',
      `It was ${input.seen} when you opened it, and now ${currentStateLabel(lesson)}. Review it again before you decide.`,
    );
  if (!ALLOWED_STATUSES[input.verdict].includes(lesson.status))
    return fail(
      'conflict',
      `It can't be ${VERDICT_PARTICIPLES[input.verdict]}: ${currentStateLabel(lesson)}. ${NEXT_STEP_LABELS[lesson.status]}`,
    );
  if (input.editCount === null && input.verdict !== 'restore')
    return fail(
      'invalid',
      `editCount must say which text you read, so that you ${input.verdict} no other one: send that of the lesson as you read it`,
      'editCount',
    );
  const needsReason = reasonNeeded(lesson, input.verdict);
  if (needsReason !== null && input.reason.trim() === '') return fail('invalid', `reason ${needsReason}`, 'reason');
  switch (input.verdict) {
    case 'promote':
      return promoted(lesson, input);
    case 'reject':
      return succeed({ status: 'rejected', admission: computeFinalAdmission(lesson) });
    case 'archive':
      return succeed({ status: 'archived', admission: computeFinalAdmission(lesson) });
    case 'restore':
      return succeed(statusByChecks(lesson));
  }
}

function editConflict({ editCount, editedBy }: JudgedLesson, seen: number): Result<never> {
  const who = editedBy ?? 'Someone';
  const edits = editCount === 1 ? '1 edit' : `${editCount} edits`;
  return fail(
    'conflict',
    `${who} edited this lesson after you opened it. It now has ${edits}, you saw ${seen}. Review it again before you decide.`,
  );
}

const ALLOWED_STATUSES: Record<LessonVerdict, readonly LessonStatus[]> = {
  promote: ['candidate', 'quarantined'],
  reject: ['candidate', 'quarantined'],
  archive: ['candidate', 'quarantined', 'promoted'],
  restore: ['rejected', 'archived'],
};

const VERDICT_PARTICIPLES: Record<LessonVerdict, string> = {
  promote: 'promoted',
  reject: 'rejected',
  archive: 'archived',
  restore: 'restored',
};

const NEXT_STEP_LABELS: Record<LessonStatus, string> = {
  candidate: 'Promote, reject or archive it.',
  quarantined: 'Promote, reject or archive it.',
  promoted: 'Archive it to take it out of every prompt.',
  rejected: 'Restore it first.',
  archived: 'Restore it first.',
};

function promoted(lesson: JudgedLesson, { mayNot }: VerdictInput): Result<ReviewStatus> {
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

/** Returns why a decision on this lesson needs a reason, as text that follows the field's name. Null if it needs none. */
export function reasonNeeded(lesson: Pick<JudgedLesson, 'admission'>, verdict: LessonVerdict): string | null {
  const texts: Record<typeof verdict, string | null> = {
    reject: 'must say why it is rejected',
    archive: 'must say why it is archived',
    promote: lesson.admission === 'held' ? 'must say why it is promoted although the screening held it' : null,
    restore: null,
  };
  return texts[verdict];
}

/** A lesson that is rejected or archived before screening is marked as admitted, so that the worker ignores it. */
function computeFinalAdmission({ admission }: JudgedLesson): LessonAdmission {
  return admission === 'waiting' || admission === 'staged' ? 'admitted' : admission;
}

/** Returns the state of a lesson according to its checks: in review, held, or still to be screened. */
export function statusByChecks({ checks, editCount }: Pick<JudgedLesson, 'checks' | 'editCount'>): ReviewStatus {
  const wasMerged = checks.some(({ kind }) => kind === 'merge');
  const screened = checks.findLast((check) => check.kind === 'screen' && check.edit === editCount);
  if (screened?.outcome === 'held' || isHeldByModel({ checks, editCount }))
    return { status: wasMerged ? 'quarantined' : 'candidate', admission: 'held' };
  if (screened === undefined || !wasMerged) return { status: 'candidate', admission: 'waiting' };
  return { status: 'quarantined', admission: 'admitted' };
}

/** Returns true if a model check of the current text holds the lesson. */
export function isHeldByModel({ checks, editCount }: Pick<JudgedLesson, 'checks' | 'editCount'>): boolean {
  return checks.some(({ kind, outcome, edit }) => kind === 'model' && outcome === 'held' && edit === editCount);
}

function currentStateLabel({ status, mergedIntoId, reviewedBy, reviewedAt }: JudgedLesson): string {
  if (mergedIntoId !== null) return `it is archived, merged into the lesson ${mergedIntoId}`;
  const by = reviewedBy === null ? '' : `, by ${reviewedBy}${reviewedAt === null ? '' : ` at ${reviewedAt}`}`;
  return `it is ${status}${status === 'candidate' || status === 'quarantined' ? '' : by}`;
}

/**
 * Returns true if the outcomes of a lesson's uses speak against it: harmful at least twice, and more often than helpful. While promoted,
 * such a lesson is proposed for retirement. It is never retired automatically.
 */
export function isRefuted({ helpful, harmful }: { helpful: number; harmful: number }): boolean {
  return harmful >= REFUTING_HARMS && harmful > helpful;
}

/** Minimum number of harmful outcomes. A single one is within noise. */
export const REFUTING_HARMS = 2;

/** Returns the screening findings that are new: another rule, or the same rule with another match. */
export function newFindings(
  before: readonly ScreeningFinding[],
  after: readonly ScreeningFinding[],
): ScreeningFinding[] {
  return after.filter(
    ({ family, rule, matched }) =>
      !before.some((known) => known.family === family && known.rule === rule && known.matched === matched),
  );
}
