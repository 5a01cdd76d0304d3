import type { LessonAdmission, LessonListItem, LessonScope, LessonVerdict } from '#lib/core/lesson-library.ts';
import { LESSON_FIELDS, type LessonKind } from '#lib/core/lesson-schema.ts';

/** A kind as people read it. */
export function kindLabel(kind: LessonKind): string {
  return kind.replaceAll('_', ' ');
}

/** What a kind is for, under its choice in a form. */
export const KIND_MEANING: Record<LessonKind, string> = {
  lesson: 'One sentence on what to do differently next time',
  failure: 'A run that failed: what went wrong, why, and what to do instead',
  partial: 'A run that got better and was not solved',
  success: 'What was done right, and why it worked',
  decision: 'A choice, what else there was, and why',
  skill_card: 'A way to do something that works wherever its pattern shows',
  failure_pattern: 'Something that goes wrong again and again, and what to do instead',
  tool_policy: 'How a tool must be used, or must not',
  episodic_case: 'A situation, and what it means',
  user_preference: 'What the people who read the answers want',
  principle: 'A rule that always holds',
  procedure: 'The steps to a goal',
};

type Standing = Pick<LessonListItem, 'status' | 'admission' | 'mergedIntoId'> &
  Partial<Pick<LessonListItem, 'archiveYear'>>;

/** How far a lesson came, in words. */
export function statusLabel({ status, admission, mergedIntoId, archiveYear = null }: Standing): string {
  switch (status) {
    case 'candidate':
      return CANDIDATE_LABELS[admission];
    case 'quarantined':
      return 'waits for review';
    case 'archived':
      if (mergedIntoId !== null) return 'merged into another';
      return archiveYear === null ? 'archived' : `archived, ${archiveYear}`;
    case 'promoted':
    case 'rejected':
      return status;
  }
}

const CANDIDATE_LABELS: Record<LessonAdmission, string> = {
  waiting: 'candidate, being screened',
  staged: 'candidate, not screened yet',
  held: 'held by the screening',
  admitted: 'candidate',
};

/** Where a lesson is meant for, in words. */
export function scopeLabel({ agent, taskType, tools }: LessonScope): string {
  const parts = [
    agent === null ? 'all agents' : `agent ${agent}`,
    taskType !== null ? `${taskType} tasks` : tools.length === 0 && agent === null ? 'any task' : '',
    tools.length === 0 ? '' : `${tools.length === 1 ? 'tool' : 'tools'} ${tools.join(', ')}`,
  ].filter(Boolean);
  return parts.join(', ');
}

/** The first line of a lesson that says something, without the label of its field. */
export function lessonTitle({ kind, text }: Pick<LessonListItem, 'kind' | 'text'>): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  const label = LESSON_FIELDS[kind].map((field) => `${field.label}: `).find((start) => line.startsWith(start));
  return line.slice(label?.length ?? 0).trim();
}

/** What a verdict does, as a person says it: `promote it`. */
export const VERDICT_LABELS: Record<LessonVerdict, { name: string; done: string }> = {
  promote: { name: 'Promote', done: 'promoted' },
  reject: { name: 'Reject', done: 'rejected' },
  archive: { name: 'Archive', done: 'archived' },
  restore: { name: 'Restore', done: 'restored' },
};
