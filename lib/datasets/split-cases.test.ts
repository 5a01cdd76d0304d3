import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Division } from './import-options.ts';
import { assignSplits } from './split-cases.ts';

const DIVISION: Division = { heldOutShare: 0.25, validationShare: 0, seed: 7, balanceBy: 'tag' };
const tagged = (...tags: string[]) => ({ tags });
const count = (splits: string[], of: string) => splits.filter((split) => split === of).length;

describe('assignSplits', () => {
  test('holds out the same share of each first tag', () => {
    const cases = Array.from({ length: 40 }, (_, at) => tagged(at < 8 ? 'rare' : 'usual', 'other'));
    const splits = assignSplits(cases, DIVISION);
    expect(count(splits.slice(0, 8), 'held_out')).toBe(2);
    expect(count(splits.slice(8), 'held_out')).toBe(8);
  });

  test('takes the validation share from the cases that are not held out', () => {
    const splits = assignSplits(Array(20).fill(tagged()), { ...DIVISION, validationShare: 0.2 });
    expect([count(splits, 'held_out'), count(splits, 'validation'), count(splits, 'train')]).toEqual([5, 3, 12]);
  });

  test('depends only on the cases and the seed', () => {
    const cases = Array(30).fill(tagged());
    expect(assignSplits(cases, DIVISION)).toEqual(assignSplits(cases, DIVISION));
    expect(assignSplits(cases, { ...DIVISION, seed: 8 })).not.toEqual(assignSplits(cases, DIVISION));
  });

  const tags = fc.array(fc.constantFrom('a', 'b', 'train', 'validation', 'held_out', 'held-out'), { maxLength: 3 });
  const share = fc.double({ min: 0, max: 1, noNaN: true });

  test('keeps tagged cases in their strictest split and assigns the others up to the share', () => {
    fc.assert(
      fc.property(fc.array(tags.map((of) => tagged(...of))), share, share, (cases, heldOutShare, validationShare) => {
        for (const balanceBy of ['tag', 'nothing'] as const) {
          const splits = assignSplits(cases, { heldOutShare, validationShare, seed: 1, balanceBy });
          expect(splits).toHaveLength(cases.length);
          const free = splits.filter((split, at) => {
            const own = cases[at]?.tags ?? [];
            const guarded = own.includes('held_out') || own.includes('held-out');
            if (guarded) expect(split).toBe('held_out');
            else if (own.includes('validation')) expect(split).toBe('validation');
            else if (own.includes('train')) expect(split).toBe('train');
            else return true;
            return false;
          });
          const heldOut = Math.round(free.length * heldOutShare);
          expect(count(free, 'held_out')).toBe(heldOut);
          expect(count(free, 'validation')).toBe(Math.round((free.length - heldOut) * validationShare));
        }
      }),
    );
  });
});
