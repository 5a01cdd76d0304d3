import { PRODUCTION } from './prompt-library.ts';

/** Where scores on held-out cases come from: a tuning run, or the playground. */
export type EvaluationSource = { kind: 'run'; runId: string } | { kind: 'playground' };

/**
 * A version against the one that has the label, over the `n` held-out cases that both are scored on; `mean` is from 0 to 1. `loses`: its
 * mean is lower; `isNoise`: the difference could be chance. `unproven`: there are no such cases, and `why` says what is missing.
 */
export type LabelEvaluation = { version: number; against: number } & (
  | {
      verdict: 'holds' | 'loses';
      n: number;
      mean: number;
      againstMean: number;
      isNoise: boolean;
      source: EvaluationSource;
    }
  | { verdict: 'unproven'; why: string }
);

/** Whether a label may only be lost to a version that does worse on the held-out cases with a reason. */
export function isGuarded(label: string): boolean {
  return label === PRODUCTION;
}

/** What the held-out cases say of giving a version the label, in one or two sentences. */
export function labelEvaluationLabel(proof: LabelEvaluation): string {
  const { version, against } = proof;
  if (proof.verdict === 'unproven') return `No proof on held-out cases against version ${against}: ${proof.why}`;
  const { n, mean, againstMean, isNoise } = proof;
  const cases = n === 1 ? 'the 1 held-out case' : `the ${n} held-out cases`;
  const chance = isNoise && mean !== againstMean ? ' The difference is within noise.' : '';
  const scores = `${mean.toFixed(2)} against ${againstMean.toFixed(2)} of version ${against}`;
  if (proof.verdict === 'loses') return `Version ${version} loses on ${cases}: ${scores}.${chance}`;
  return `Version ${version} does ${mean === againstMean ? 'as well' : 'better'} on ${cases}: ${scores}.${chance}`;
}
