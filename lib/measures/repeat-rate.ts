import { type CountedShare, countedShare } from './counted-share.ts';
import type { RunDigest } from './digest-run.ts';

/** How often what comes after an answer that failed is the same answer again, over many runs. Source: the replay log of Reflexion, Shinn et al. 2023. */
export function repeatRate(runs: readonly Pick<RunDigest, 'repeatedAnswers' | 'retriesAfterFail'>[]): CountedShare {
  return countedShare(
    runs.reduce((sum, run) => sum + run.repeatedAnswers, 0),
    runs.reduce((sum, run) => sum + run.retriesAfterFail, 0),
  );
}
