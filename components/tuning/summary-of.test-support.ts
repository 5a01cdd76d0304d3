import type { TunedVersion, TuningSummary } from '#lib/statistics/tuning-summary.ts';

/** A prompt of a summary: its differences from a plain candidate, and the mean used for selection. */
export type SummaryVersion = Partial<TunedVersion> & { mean?: number };

/** Returns a summary of prompts in a chain, each created from the previous one. */
export function summaryOf(versions: SummaryVersion[], changes: Partial<TuningSummary> = {}): TuningSummary {
  return {
    cases: { train: 3, validation: 4, heldOut: 2 },
    validatesOn: 'validation',
    versions: versions.map(({ mean, ...rest }, number) => ({
      number,
      kind: number === 0 ? 'original' : 'proposal',
      state: number === 0 ? 'given' : 'candidate',
      parents: number === 0 ? [] : [number - 1],
      round: number === 0 ? null : number - 1,
      strategy: null,
      parameters: null,
      step: 3 * number,
      combinedInto: null,
      diagnosis: null,
      problems: [],
      lostAnchors: [],
      minibatch: null,
      evidence: null,
      train: null,
      validation: null,
      heldOut: null,
      chosenBy: mean === undefined ? null : { n: 4, mean, low: Math.max(0, mean - 0.3), high: Math.min(1, mean + 0.3) },
      tried: { train: 0, validation: 0, heldOut: 0 },
      leadsCriteria: [],
      lessons: [],
      ...rest,
    })),
    finalTest: null,
    gain: null,
    proposals: versions.length - 1,
    accepted: 0,
    shownBetter: 0,
    redraw: null,
    referencesSeen: 0,
    calls: 0,
    tries: 0,
    paidBefore: 0,
    heldOutTries: 0,
    baselineTries: 0,
    ...changes,
  };
}
