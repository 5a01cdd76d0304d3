import { describe, expect, test } from 'vitest';
import type { LessonCheck } from '#lib/core/lesson-library.ts';
import {
  LESSON_STATUSES,
  LESSON_VERDICTS,
  type LessonAdmission,
  type LessonStatus,
  type LessonVerdict,
} from '#lib/core/lesson-schema.ts';
import { applyVerdict, type JudgedLesson, statusByChecks } from './review-status.ts';

const AT = '2026-03-01T09:30:00.000Z';
const CLEAR: LessonCheck = { number: 1, edit: 0, createdAt: AT, kind: 'screen', outcome: 'clear', findings: [] };
const HELD: LessonCheck = {
  ...CLEAR,
  outcome: 'held',
  findings: [{ family: 'prompt_injection', rule: 'orders', matched: 'ignore all that was said' }],
};
const UNIQUE: LessonCheck = { number: 2, edit: 0, createdAt: AT, kind: 'merge', outcome: 'none', into: null };

function lesson(given: Partial<JudgedLesson> = {}): JudgedLesson {
  return {
    status: 'quarantined',
    admission: 'admitted',
    mergedIntoId: null,
    reviewedBy: null,
    reviewedAt: null,
    editCount: 0,
    editedBy: null,
    checks: [CLEAR, UNIQUE],
    ...given,
  };
}

function judge(judged: JudgedLesson, verdict: LessonVerdict, given: { seen?: LessonStatus; mayNot?: string } = {}) {
  return applyVerdict(judged, {
    verdict,
    reason: 'so it is',
    seen: null,
    editCount: judged.editCount,
    mayNot: null,
    ...given,
  });
}

/** Resulting status by current status and verdict; null if the verdict is refused. */
const TABLE: Record<LessonStatus, Record<LessonVerdict, LessonStatus | null>> = {
  candidate: { promote: 'promoted', reject: 'rejected', archive: 'archived', restore: null },
  quarantined: { promote: 'promoted', reject: 'rejected', archive: 'archived', restore: null },
  promoted: { promote: null, reject: null, archive: 'archived', restore: null },
  rejected: { promote: null, reject: null, archive: null, restore: 'quarantined' },
  archived: { promote: null, reject: null, archive: null, restore: 'quarantined' },
};

describe('review verdict', () => {
  const rows = LESSON_STATUSES.flatMap((status) =>
    LESSON_VERDICTS.map((verdict) => ({ status, verdict, leadsTo: TABLE[status][verdict] })),
  );
  test.each(rows)('$verdict on a $status lesson leads to $leadsTo', ({ status, verdict, leadsTo }) => {
    const admission = status === 'candidate' ? 'held' : 'admitted';
    const result = judge(lesson({ status, admission, reviewedBy: 'Ada', reviewedAt: AT }), verdict);
    if (leadsTo === null) {
      expect(result).toMatchObject({ ok: false, problem: { code: 'conflict' } });
      expect(!result.ok && result.problem.message).toContain(`it is ${status}`);
    } else expect(result).toMatchObject({ ok: true, value: { status: leadsTo } });
  });

  test.each<[LessonStatus, LessonVerdict]>([
    ['promoted', 'promote'],
    ['rejected', 'promote'],
    ['archived', 'archive'],
  ])('rejects a verdict on a %s lesson, %s, with who decided and when', (status, verdict) => {
    const result = judge(lesson({ status, reviewedBy: 'Ada', reviewedAt: AT }), verdict);
    expect(!result.ok && result.problem.message).toContain(`by Ada at ${AT}`);
  });

  test('is refused if another verdict was given first', () => {
    const result = judge(lesson({ status: 'promoted', reviewedBy: 'Ada', reviewedAt: AT }), 'archive', {
      seen: 'quarantined',
    });
    expect(result).toMatchObject({ ok: false, problem: { code: 'conflict' } });
    expect(!result.ok && result.problem.message).toContain(
      'It was quarantined when you opened it, and now it is promoted, by Ada',
    );
  });

  test.each<[string, LessonAdmission, LessonVerdict, boolean]>([
    ['rejecting', 'admitted', 'reject', true],
    ['archiving', 'admitted', 'archive', true],
    ['promoting a held lesson', 'held', 'promote', true],
    ['promoting a clear lesson', 'admitted', 'promote', false],
  ])('checks if %s needs a reason', (_name, admission, verdict, isNeeded) => {
    const result = applyVerdict(lesson({ admission }), {
      verdict,
      reason: ' ',
      seen: null,
      editCount: 0,
      mayNot: null,
    });
    expect(result.ok).toBe(!isNeeded);
    if (isNeeded) expect(result).toMatchObject({ problem: { code: 'invalid', field: 'reason' } });
  });

  test.each<[LessonAdmission, string]>([
    ['waiting', 'The screening has not finished'],
    ['staged', 'Screen it'],
  ])('promotes nothing that is %s', (admission, words) => {
    const result = judge(lesson({ status: 'candidate', admission, checks: [] }), 'promote');
    expect(result).toMatchObject({ ok: false, problem: { code: 'conflict' } });
    expect(!result.ok && result.problem.message).toContain(words);
  });

  test("never promotes the reviewer's own work, but can reject and archive it", () => {
    expect(judge(lesson(), 'promote', { mayNot: 'Yours' })).toMatchObject({
      ok: false,
      problem: { code: 'forbidden' },
    });
    expect(judge(lesson(), 'reject', { mayNot: 'Yours' }).ok).toBe(true);
    expect(judge(lesson(), 'archive', { mayNot: 'Yours' }).ok).toBe(true);
  });

  test('stops the worker from admitting a lesson that is not screened yet', () => {
    const result = judge(lesson({ status: 'candidate', admission: 'waiting', checks: [] }), 'reject');
    expect(result).toMatchObject({ value: { status: 'rejected', admission: 'admitted' } });
  });
});

describe('state of a restored lesson', () => {
  test.each<[string, Partial<JudgedLesson>, ReturnType<typeof statusByChecks>]>([
    ['is in review after all checks', { checks: [CLEAR, UNIQUE] }, { status: 'quarantined', admission: 'admitted' }],
    ['is held again', { checks: [HELD] }, { status: 'candidate', admission: 'held' }],
    ['waits for screening if it was not screened', { checks: [] }, { status: 'candidate', admission: 'waiting' }],
    ['waits for merging if it was not compared', { checks: [CLEAR] }, { status: 'candidate', admission: 'waiting' }],
    ['waits for screening after its last edit', { editCount: 1 }, { status: 'candidate', admission: 'waiting' }],
  ])('%s', (_name, given, expected) => {
    expect(statusByChecks(lesson(given))).toEqual(expected);
  });
});
