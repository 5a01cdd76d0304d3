import type { Evaluation } from './history.ts';

/** A criterion that has no score, and why, as the end of a sentence without its full stop. */
export type UnscoredReason = { criterion: string; why: string };

/** The criteria that an evaluation left without a score, in its order. */
export function unscoredReasons({
  criteriaScores,
  reasons,
}: Pick<Evaluation, 'criteriaScores' | 'reasons'>): UnscoredReason[] {
  return Object.entries(criteriaScores).flatMap(([criterion, score]) =>
    score === null ? [{ criterion, why: whyOf(reasons[criterion] ?? '') }] : [],
  );
}

function whyOf(reason: string): string {
  const bare = reason
    .replace(/^Not scored[:.]\s*/, '')
    .trim()
    .replace(/\.$/, '');
  return bare === '' ? 'no score could be read' : `${bare.charAt(0).toLowerCase()}${bare.slice(1)}`;
}
