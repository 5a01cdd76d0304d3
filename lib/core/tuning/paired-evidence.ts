import { cachedByObject } from '#lib/core/caches.ts';
import { roundTo6 } from '#lib/core/round.ts';
import type { History, Version } from '../history.ts';
import { signTest, weightedSignTest } from '../sign-test.ts';
import { effectiveScores, type TriedHistory, validationPositions } from './case-scores.ts';
import { weightedMean, weightsAt } from './case-weights.ts';

/** Minimum number of cases with scores of both prompts for a verdict. */
export const MIN_PAIRED_CASES = 4;
/** Minimum number of improved cases for a significant difference in the exact sign test: p = 2 / 2⁶. */
export const MIN_CHANGED_CASES = 6;
/** Significance level: a difference with a smaller p-value counts. */
const SIGNIFICANT = 0.05;

export const EVIDENCE_VERDICTS = ['better', 'worse', 'not_enough_evidence'] as const;
export type EvidenceVerdict = (typeof EVIDENCE_VERDICTS)[number];

/**
 * Comparison of two prompts over the `n` cases both are scored on. `difference`: the mean of the score differences, weighted by case. `p`:
 * two-sided, of the exact sign test on the cases that changed, which for right and wrong answers is McNemar's test. If weights differ, of
 * the weighted sign test.
 */
export type PairedEvidence = {
  against: number;
  n: number;
  better: number;
  worse: number;
  same: number;
  difference: number;
  p: number;
  verdict: EvidenceVerdict;
};

/**
 * Compares a version with another on these cases. `better` or `worse` require at least 4 cases, p below 0.05 (the exact 95 % interval of
 * the share of changed cases that improved excludes one half, which takes at least 6 changed cases), and a mean difference in the same
 * direction. Everything else is not enough evidence. If weights differ, `better` requires more improved weight than worsened weight.
 * Sources: Dixon & Mood 1946, The Statistical Sign Test; for weights see `weightedSignTest`.
 */
export function pairedEvidence(
  history: TriedHistory,
  version: number,
  against: number,
  positions: readonly number[],
): PairedEvidence {
  const [before, after] = [effectiveScores(history, against), effectiveScores(history, version)];
  const scored = positions.flatMap((position) => {
    const [from, to] = [before.get(position)?.score ?? null, after.get(position)?.score ?? null];
    return from === null || to === null ? [] : [{ position, by: roundTo6(to - from) }];
  });
  const differences = scored.map(({ by }) => by);
  const n = differences.length;
  const weights = weightsAt(
    history,
    scored.map(({ position }) => position),
  );
  const better = differences.filter((by) => by > 0).length;
  const worse = differences.filter((by) => by < 0).length;
  const difference = n === 0 ? 0 : weightedMean(differences, weights);
  const changed = weights === null ? null : differences.map((by, at) => Math.sign(by) * (weights[at] ?? 1));
  const exact = changed === null ? signTest(better, worse) : weightedSignTest(changed);
  // Rounded to 9 significant digits to remove errors of the logarithms.
  const p = Number(exact.toPrecision(9));
  const counts = { against, n, better, worse, same: n - better - worse, difference, p };
  const balance = changed === null ? better - worse : changed.reduce((sum, by) => sum + by, 0);
  return { ...counts, verdict: verdictOf(counts, balance) };
}

/**
 * Returns the evidence that a proposed prompt is better than its parent: both on the validation cases, except those the proposal is based
 * on. Null if no model proposed it.
 */
export function proposalEvidence(
  history: TriedHistory,
  { number, parents, proposal }: Pick<Version, 'number' | 'parents' | 'proposal'>,
): PairedEvidence | null {
  const [parent] = parents;
  if (proposal === null || parent === undefined) return null;
  const known = knownEvidence(history.tries)(history.versions)(history.cases);
  // No model saw the cases that a merged prompt was first scored on.
  const seen = proposal.merged === true ? [] : proposal.positions;
  const evidence =
    known.get(number) ??
    pairedEvidence(
      history,
      number,
      parent,
      validationPositions(history).filter((position) => !seen.includes(position)),
    );
  known.set(number, evidence);
  return evidence;
}

/** Cached, because the state of a version depends on its evidence and is read many times in each step and on each page. */
const knownEvidence = cachedByObject((_tries: History['tries']) =>
  cachedByObject((_versions: History['versions']) =>
    cachedByObject((_cases: History['cases']) => new Map<number, PairedEvidence>()),
  ),
);

/** `balance`: the weight of the improved cases minus that of the worsened ones. */
function verdictOf({ n, difference, p }: Omit<PairedEvidence, 'verdict'>, balance: number): EvidenceVerdict {
  if (n < MIN_PAIRED_CASES || p >= SIGNIFICANT) return 'not_enough_evidence';
  if (balance > 0 && difference > 0) return 'better';
  return balance < 0 && difference < 0 ? 'worse' : 'not_enough_evidence';
}
