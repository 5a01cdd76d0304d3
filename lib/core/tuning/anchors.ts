import { cachedByObject } from '#lib/core/caches.ts';
import type { Case } from '#lib/core/case.ts';
import type { History } from '#lib/core/history.ts';
import { effectiveScores, type TriedHistory, validationPositions } from './case-scores.ts';

/** Tag of cases that must not get worse. */
const ANCHOR_TAG = 'anchor';

/** True if no prompt may score lower on a case than the first one does. */
export function isAnchor({ tags }: Pick<Case, 'tags'>): boolean {
  return tags.includes(ANCHOR_TAG);
}

/** Returns the positions of the anchor cases among those that candidates are validated on. */
export function anchorPositions({ cases }: Pick<History, 'cases'>): number[] {
  return anchorsAmong(cases);
}

const anchorsAmong = cachedByObject((cases: History['cases']) => {
  const anchors = new Set(cases.filter(isAnchor).map(({ position }) => position));
  return anchors.size === 0 ? [] : validationPositions({ cases }).filter((position) => anchors.has(position));
});

/** Returns the positions of the anchor cases on which a version scores lower than the first prompt, as far as both were scored there. */
export function lostAnchors(history: TriedHistory, version: number): number[] {
  const anchors = version === 0 ? [] : anchorPositions(history);
  if (anchors.length === 0) return [];
  const [before, after] = [effectiveScores(history, 0), effectiveScores(history, version)];
  return anchors.filter((position) => {
    const [from, to] = [before.get(position)?.score ?? null, after.get(position)?.score ?? null];
    return from !== null && to !== null && to < from;
  });
}
