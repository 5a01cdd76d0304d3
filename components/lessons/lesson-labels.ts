import type { LessonOpinion, Opinion } from '#lib/assignments/queries.ts';
import type { LessonCheck, LessonListItem, LessonScope, RedactionCount } from '#lib/core/lesson-library.ts';
import { LESSON_FIELDS, type LessonAdmission, type LessonKind, type LessonVerdict } from '#lib/core/lesson-schema.ts';
import { formatChange, formatChangeInterval, formatList, formatNumberOf, joinParts } from '#lib/format.ts';
import type { PairedLift } from '#lib/statistics/paired-lift-schema.ts';

/** Returns the label of a kind. */
export function kindLabel(kind: LessonKind): string {
  return kind.replaceAll('_', ' ');
}

/** Description of each kind, shown below its option in the form. */
export const KIND_MEANING: Record<LessonKind, string> = {
  lesson: 'What to do differently next time, in one sentence',
  failure: 'A run that failed: what went wrong, why, and what to do instead',
  partial: 'A run that improved but was not solved',
  success: 'What was done right, and why it worked',
  decision: 'A choice, its alternatives and the reason',
  skill_card: 'A strategy that works whenever its pattern occurs',
  failure_pattern: 'A recurring mistake, and what to do instead',
  tool_policy: 'How a tool must or must not be used',
  episodic_case: 'A situation, and what it means',
  user_preference: 'What readers of the answers prefer',
  principle: 'A rule that always holds',
  procedure: 'The steps to a goal',
};

type LessonStatusFields = Pick<LessonListItem, 'status' | 'admission' | 'mergedIntoId'> &
  Partial<Pick<LessonListItem, 'archiveYear'>>;

/** Returns the label of a lesson's status. */
export function statusLabel({ status, admission, mergedIntoId, archiveYear = null }: LessonStatusFields): string {
  switch (status) {
    case 'candidate':
      return CANDIDATE_LABELS[admission];
    case 'quarantined':
      return 'waits for review';
    case 'archived':
      if (mergedIntoId !== null) return 'merged';
      return archiveYear === null ? 'archived' : `archived, ${archiveYear}`;
    case 'promoted':
    case 'rejected':
      return status;
  }
}

const CANDIDATE_LABELS: Record<LessonAdmission, string> = {
  waiting: 'candidate, being screened',
  staged: 'candidate, not screened yet',
  held: 'held by screening',
  admitted: 'candidate',
};

/** Returns the label of a scope. */
export function scopeLabel({ agent, taskType, tools }: LessonScope): string {
  return joinParts(
    agent === null ? 'all agents' : `agent ${agent}`,
    taskType !== null ? `${taskType} tasks` : tools.length === 0 && agent === null ? 'any task' : '',
    tools.length === 0 ? '' : `${tools.length === 1 ? 'tool' : 'tools'} ${tools.join(', ')}`,
  );
}

/** Returns the first non-empty line of a lesson without its field label. */
export function lessonTitle({ kind, text }: Pick<LessonListItem, 'kind' | 'text'>): string {
  const line = text.split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  const label = LESSON_FIELDS[kind].map((field) => `${field.label}: `).find((start) => line.startsWith(start));
  return line.slice(label?.length ?? 0).trim();
}

/** Labels of the review decisions, such as `Promote`. */
export const VERDICT_LABELS: Record<LessonVerdict, { name: string; done: string }> = {
  promote: { name: 'Promote', done: 'promoted' },
  reject: { name: 'Reject', done: 'rejected' },
  archive: { name: 'Archive', done: 'archived' },
  restore: { name: 'Restore', done: 'restored' },
};

/** Labels of the votes that precede a review decision. */
export const VOTE_LABELS: Record<Opinion, { name: string; done: string }> = {
  promote: { name: 'Vote for', done: 'voted for it' },
  reject: { name: 'Vote against', done: 'voted against it' },
};

/** Returns the label of a check and its result. */
export function checkLabel(check: LessonCheck): { step: string; found: string } {
  switch (check.kind) {
    case 'redact':
      return {
        step: 'Redacted',
        found:
          check.outcome === 'clear' ? 'nothing removed' : `${redactedLabel(check.found)} removed before it was stored`,
      };
    case 'screen':
      return {
        step: 'Screened by patterns',
        found:
          check.outcome === 'clear'
            ? 'no injection, score manipulation, tool misuse, leak or overreach'
            : `held: ${formatNumberOf(check.findings.length, 'finding')}`,
      };
    case 'model':
      return {
        step: 'Checked by a model',
        found:
          check.outcome === 'clear'
            ? `${check.model} found it harmless: ${check.reason}`
            : `held by ${check.model}: ${check.reason}`,
      };
    case 'merge':
      return {
        step: 'Compared',
        found:
          check.into === null
            ? 'no earlier duplicates'
            : check.outcome === 'none'
              ? 'no earlier duplicates, but it may contradict another lesson'
              : `merged into a duplicate (similarity ${check.into.likeness.toFixed(2)})`,
      };
    case 'quarantine':
      return { step: 'Stored', found: 'as a candidate for review' };
    case 'retention':
      return { step: 'Archived', found: `the limit is ${check.keep} lessons per agent` };
  }
}

function redactedLabel(found: readonly RedactionCount[]): string {
  return formatList(found.map(({ kind, count }) => formatNumberOf(count, kind.replaceAll('_', ' '))));
}

/** Returns the label of a screening pattern family. */
export function familyLabel(family: string): string {
  const text = family.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns how many reviewers would promote a lesson, and how many pairs of them agree. */
export function opinionLabel(opinions: readonly Pick<LessonOpinion, 'verdict'>[]): string {
  const all = opinions.length;
  const yes = opinions.filter(({ verdict }) => verdict === 'promote').length;
  const would = `${yes} of ${all} would promote it`;
  if (all < 2) return `${would}.`;
  const pairsOf = (count: number) => (count * (count - 1)) / 2;
  const same = pairsOf(yes) + pairsOf(all - yes);
  if (all === 2) return `${would}. The reviewers ${same === 1 ? 'agree' : 'disagree'}.`;
  return `${would}. ${same} of ${pairsOf(all)} pairs of reviewers agree.`;
}

/** Returns a lift as a sentence: size, uncertainty and number of cases. Within noise if the interval contains 0. */
export function liftSentence({ lift, low, high, n, same, isNoise }: PairedLift): string {
  if (lift === null) return 'No case has scores both with and without the lesson yet.';
  const cases = formatNumberOf(n, 'case');
  if (n > 1 && same === n) return `No difference on ${cases}.`;
  if (low === null || high === null)
    return `${formatChange(lift)} on ${cases}. ${n === 1 ? 'One case is' : 'These few cases are'} not enough to tell.`;
  const [change, from, to] = formatChangeInterval(lift, low, high);
  const bounds = `${from} to ${to} with 95% confidence, ${cases}`;
  if (isNoise) return `${change}, within noise (${bounds}).`;
  return lift > 0 ? `It helps: ${change} (${bounds}).` : `It hurts: ${change} (${bounds}).`;
}

/** Returns a lift in short: `+0.08 (+0.02 to +0.14)`, `+0.01 within noise (−0.03 to +0.05)`. */
export function shortLiftLabel({ lift, low, high, isNoise }: PairedLift): string {
  if (lift === null) return 'not scored';
  const noise = isNoise ? ' within noise' : '';
  if (low === null || high === null) return `${formatChange(lift)}${noise}`;
  const [change, from, to] = formatChangeInterval(lift, low, high);
  return `${change}${noise} (${from} to ${to})`;
}

/** Returns the case counts: `7 helped, 2 harmed, 3 the same, 1 unscored`. Adds a note if there are few. */
export function liftCounts({ helped, harmed, same, unscored, isSmall, n }: PairedLift): string {
  const parts = [
    ...(helped > 0 ? [`${helped} helped`] : []),
    ...(harmed > 0 ? [`${harmed} hurt`] : []),
    ...(same > 0 ? [`${same} the same`] : []),
    ...(unscored > 0 ? [`${unscored} without scores on both sides`] : []),
  ];
  const few = isSmall && n > 1 ? ' This is too few cases to be sure.' : '';
  return parts.length === 0 ? '' : `${formatList(parts)}.${few}`;
}
