import type { History, Version } from '../history.ts';
import { scoreOf } from '../scored-versions.ts';
import { minibatchResult } from './minibatch.ts';

/** The version that a proposal was combined into; null if there is none. */
export function combinationOf({ versions }: Pick<History, 'versions'>, number: number): Version | null {
  return versions.find(({ proposal }) => proposal?.combined?.includes(number)) ?? null;
}

/**
 * Whether a proposal is not validated because it was combined with others. If the combination cannot be used, or is no better than the
 * prompt that it was made from, the best of the proposals is validated instead.
 */
export function isLeftToCombination(history: History, { number }: Pick<Version, 'number'>): boolean {
  const combination = combinationOf(history, number);
  if (combination === null) return false;
  return !hasFailed(history, combination) || bestOf(history, combination) !== number;
}

function hasFailed(history: History, { number, parents, proposal }: Version): boolean {
  if ((proposal?.problems.length ?? 0) > 0) return true;
  const [parent] = parents;
  const [before, after] = [parent === undefined ? null : scoreOf(history, parent), scoreOf(history, number)];
  return before !== null && after !== null && after <= before;
}

/** The combined proposal that gained most on the cases it was made from. */
function bestOf(history: History, { proposal }: Version): number | null {
  const gains = (proposal?.combined ?? []).flatMap((number) => {
    const version = history.versions.find((one) => one.number === number);
    const result = version === undefined ? null : minibatchResult(history, version);
    return result === null ? [] : [{ number, gain: result.after - result.before }];
  });
  return gains.toSorted((one, other) => other.gain - one.gain)[0]?.number ?? null;
}
