import { hash } from 'node:crypto';
import type { Case } from '#lib/reflection/case.ts';
import type { PromptSetup } from '#lib/reflection/prompt-library.ts';
import type { ModelReference } from '#lib/reflection/settings.ts';

/** SHA-256 of all that decides a proof: what is tried on which case by which model, and how it is scored. */
export function proofKey(text: string, task: Case, model: ModelReference, setup: PromptSetup): string {
  const { input, reference, tags, metadata } = task;
  const { instructions, temperature, criteria, evaluatorModel, qualityThreshold } = setup;
  const deciding = [
    text,
    [input, reference, tags, metadata],
    [model.provider, model.model],
    [instructions, temperature, criteria, evaluatorModel, qualityThreshold],
  ];
  return hash('sha256', JSON.stringify(deciding));
}
