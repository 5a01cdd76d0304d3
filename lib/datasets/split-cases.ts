import type { Split } from '#lib/core/history.ts';
import { shuffled } from '#lib/core/tuning/minibatch.ts';
import type { Division } from './import-options.ts';
import { ownTags, taggedSplit } from './split-tags.ts';

/**
 * Returns the split of each case, in case order. Tagged cases keep their split. Others are drawn with the seed until the shares, rounded to
 * whole cases, are reached.
 */
export function assignSplits(cases: readonly { tags: readonly string[] }[], division: Division): Split[] {
  const free = cases.flatMap((one, position) => (taggedSplit(one) === null ? [{ ...one, position }] : []));
  const groups = Map.groupBy(free, (one) => (division.balanceBy === 'tag' ? (ownTags(one)[0] ?? '') : ''));
  const shuffledGroups = Array.from(groups.values(), (members) =>
    shuffled(members, ({ position }) => String(position), 'divide', String(division.seed)),
  );
  const sizes = shuffledGroups.map(({ length }) => length);
  const heldOut = shareOut(sizes, division.heldOutShare);
  const left = sizes.map((size, at) => size - (heldOut[at] ?? 0));
  const validation = shareOut(left, division.validationShare);
  const drawn = new Map<number, Split>();
  for (const [at, order] of shuffledGroups.entries()) {
    const guarded = heldOut[at] ?? 0;
    const chosen = guarded + (validation[at] ?? 0);
    for (const [index, { position }] of order.entries())
      drawn.set(position, index < guarded ? 'held_out' : index < chosen ? 'validation' : 'train');
  }
  return cases.map((one, position) => taggedSplit(one) ?? drawn.get(position) ?? 'train');
}

/**
 * Distributes a share over groups of these sizes. Uses largest remainders, so the whole numbers add up to the rounded share of the total.
 */
function shareOut(sizes: readonly number[], share: number): number[] {
  const wanted = sizes.map((size) => size * share);
  const given = wanted.map(Math.floor);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const missing = Math.round(total * share) - given.reduce((sum, count) => sum + count, 0);
  const byRemainder = wanted
    .map((exact, at) => ({ at, remainder: exact - Math.floor(exact) }))
    .filter(({ remainder }) => remainder > 0)
    .sort((one, other) => other.remainder - one.remainder || one.at - other.at);
  for (const { at } of byRemainder.slice(0, Math.max(0, missing))) given[at] = (given[at] ?? 0) + 1;
  return given;
}
