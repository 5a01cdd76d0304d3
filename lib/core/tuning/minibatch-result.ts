import type { History, Version } from '../history.ts';
import { roundTo6 } from '../round.ts';
import { effectiveScores } from './effective-tries.ts';

/** Sums of scores over the training cases a prompt was proposed from: its parent's and its own. */
export type MinibatchResult = { positions: number[]; before: number; after: number };

/** How a proposed prompt did beside its parent; null for one that no model proposed, and while either is unscored on any of the cases. */
export function minibatchResult(
  history: Pick<History, 'versions' | 'tries'>,
  { number, parents, proposal }: Pick<Version, 'number' | 'parents' | 'proposal'>,
): MinibatchResult | null {
  const [parent] = parents;
  if (proposal === null || parent === undefined) return null;
  const before = sumOver(history, parent, proposal.positions);
  const after = sumOver(history, number, proposal.positions);
  return before === null || after === null ? null : { positions: proposal.positions, before, after };
}

function sumOver(history: Pick<History, 'versions' | 'tries'>, version: number, positions: number[]): number | null {
  const tries = effectiveScores(history, version);
  let sum = 0;
  for (const position of positions) {
    const score = tries.get(position)?.score ?? null;
    if (score === null) return null;
    sum += score;
  }
  return roundTo6(sum);
}
