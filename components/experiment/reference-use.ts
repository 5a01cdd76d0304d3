import { asksForReference } from '#lib/core/prompts/judge-texts.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { findMissingInput } from '#lib/core/unscorable-cases.ts';
import { isShownToJudge, mayUseReference } from '#lib/evaluators/uses-reference.ts';

export type ReferenceUse = {
  /** Use of a case's reference by the criteria: some require it, some use it if present, or none uses it. */
  reference: 'needed' | 'used' | 'unused';
  /** True if a judge sees the reference. */
  isReferenceJudged: boolean;
};

const NO_REFERENCE = { reference: null, metadata: {} };

/** Returns how the criteria use a case's reference, and if a judge sees it. */
export function referenceUse({ criteria, prompts }: Pick<ExperimentSettings, 'criteria' | 'prompts'>): ReferenceUse {
  const isNeeded = criteria.some(
    (criterion) =>
      asksForReference(criterion, prompts.evaluate) ||
      findMissingInput(criterion, NO_REFERENCE, prompts.evaluate) === 'reference',
  );
  const isUsed = criteria.some((criterion) => mayUseReference(criterion, prompts.evaluate));
  return {
    reference: isNeeded ? 'needed' : isUsed ? 'used' : 'unused',
    isReferenceJudged: criteria.some((criterion) => isShownToJudge(criterion, prompts.evaluate)),
  };
}
