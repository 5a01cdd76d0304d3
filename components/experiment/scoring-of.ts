import { type ExperimentDraft, fromDraft } from './experiment-draft.ts';

/** What of a draft turns criteria scores into a verdict: names, weights and thresholds. Entries that are no numbers stay as typed. */
export function scoringOf(draft: ExperimentDraft) {
  const { criteria, qualityThreshold } = fromDraft(draft);
  return { qualityThreshold, criteria: criteria.map(({ name, weight, threshold }) => ({ name, weight, threshold })) };
}
