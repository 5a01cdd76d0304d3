import type { Case } from '#lib/core/case.ts';
import type { History, TuningCase } from '#lib/core/history.ts';
import { effectiveScores, validationPositions } from './case-scores.ts';

/** Tag of cases that must not get worse. */
const ANCHOR_TAG = 'anchor';

/** True if no prompt may score lower on a case than the first one does. */
export function isAnchor({ tags }: Pick<Case, 'tags'>): boolean {
  return tags.includes(ANCHOR_TAG);
}

/** Returns the positions of the anchor cases among those that candidates are validated on. */
export function anchorPositions(history: Pick<History, 'cases'>): number[] {
  const before = knownAnchors.get(history.cases);
  if (before !== undefined) return before;
  const anchors = new Set(history.cases.flatMap((one: TuningCase) => (isAnchor(one) ? [one.position] : [])));
  const found = anchors.size === 0 ? [] : validationPositions(history).filter((position) => anchors.has(position));
  knownAnchors.set(history.cases, found);
  return found;
}

/** Cached, because the state of each version depends on them. */
const knownAnchors = new WeakMap<History['cases'], number[]>();

/** Returns the positions of the anchor cases on which a version scores lower than the first prompt, as far as both were scored there. */
export function lostAnchors(history: Pick<History, 'cases' | 'versions' | 'tries'>, version: number): number[] {
  const anchors = version === 0 ? [] : anchorPositions(history);
  if (anchors.length === 0) return [];
  const [before, after] = [effectiveScores(history, 0), effectiveScores(history, version)];
  return anchors.filter((position) => {
    const [from, to] = [before.get(position)?.score ?? null, after.get(position)?.score ?? null];
    return from !== null && to !== null && to < from;
  });
}
