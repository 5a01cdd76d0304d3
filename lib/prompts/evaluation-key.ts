import { hash } from 'node:crypto';
import type { Case } from '#lib/core/case.ts';
import type { ModelReference } from '#lib/core/settings.ts';
import type { PromptSetup } from './prompt-library.ts';

/** SHA-256 of all that decides a proof: what is tried on which case by which model, and how it is scored. */
export function evaluationKey(text: string, task: Case, model: ModelReference, setup: PromptSetup): string {
  return evaluationKeysOf(text, model, setup)(task);
}

/** The same for many cases of one text. */
export function evaluationKeysOf(text: string, model: ModelReference, setup: PromptSetup): (task: Case) => string {
  const { instructions, temperature, evaluatorTemperature, criteria, evaluatorModel, qualityThreshold } = setup;
  const deciding = [
    text,
    [model.provider, model.model],
    [instructions, temperature, criteria, evaluatorModel, qualityThreshold],
    // Left out where it is not set, as in keys that are older than it.
    ...(evaluatorTemperature === null ? [] : [evaluatorTemperature]),
  ];
  const ofText = hash('sha256', JSON.stringify(deciding));
  return (task) => hash('sha256', `${ofText} ${hashOfCase(task)}`);
}

/** A case is asked about once for each prompt and version that was tried on it. */
const hashes = new WeakMap<Case, string>();

function hashOfCase(task: Case): string {
  const known = hashes.get(task);
  if (known !== undefined) return known;
  const { input, reference, tags, metadata, criteria } = task;
  const made = hash('sha256', JSON.stringify([input, reference, tags, metadata, ...(criteria ? [criteria] : [])]));
  hashes.set(task, made);
  return made;
}
