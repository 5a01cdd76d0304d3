import { hash } from 'node:crypto';
import type { Case } from '#lib/core/case.ts';
import type { ModelReference } from '#lib/core/settings.ts';
import type { ModelOutcome } from '#lib/providers/call/model-caller.ts';
import type { EvaluationEvent } from './evaluation-schema.ts';
import { hasOptions, optionsKey, type PromptBody } from './prompt.ts';
import type { PromptSetup } from './schema.ts';

/** Returns the SHA-256 of everything that determines an evaluation: prompt, case, model and scoring. */
export function evaluationKey(body: PromptBody, task: Case, model: ModelReference, setup: PromptSetup): string {
  return evaluationKeysOf(body, model, setup)(task);
}

/** Like `evaluationKey`, but for many cases of one prompt. */
export function evaluationKeysOf(body: PromptBody, model: ModelReference, setup: PromptSetup): (task: Case) => string {
  const { instructions, temperature, evaluatorTemperature, criteria, evaluatorModel, qualityThreshold } = setup;
  const { generate, evaluate } = setup.modelSettings;
  const deciding = [
    body.text,
    [model.provider, model.model],
    [instructions, temperature, criteria, evaluatorModel, qualityThreshold],
    // Omitted if unset, so that keys from before this setting stay valid.
    ...(evaluatorTemperature === null ? [] : [evaluatorTemperature]),
    ...(generate === null && evaluate === null ? [] : [{ generate, evaluate }]),
    ...(hasOptions(body) ? [optionsKey(body)] : []),
  ];
  const ofText = hash('sha256', JSON.stringify(deciding));
  return (task) => hash('sha256', `${ofText} ${hashOfCase(task)}`);
}

/** A case's hash is needed for each prompt and version evaluated on it. */
const hashes = new WeakMap<Case, string>();

function hashOfCase(task: Case): string {
  const known = hashes.get(task);
  if (known !== undefined) return known;
  const { input, messages, reference, tags, metadata, criteria } = task;
  const deciding = [
    input,
    reference,
    tags,
    metadata,
    ...(criteria ? [criteria] : []),
    ...(messages ? [{ messages }] : []),
  ];
  const made = hash('sha256', JSON.stringify(deciding));
  hashes.set(task, made);
  return made;
}

type Sum = Pick<
  Extract<EvaluationEvent, { type: 'end' }>,
  'calls' | 'inputTokens' | 'outputTokens' | 'costUsd' | 'unpriced'
>;

/** Counts calls made, including failed ones, and their cost. */
export function evaluationSpend(): { add: (outcome: ModelOutcome) => ModelOutcome; sum: () => Sum } {
  const sum = { calls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0, unpriced: false };
  return {
    add: (outcome) => {
      const { attempts, tokenUsage, costUsd } = outcome.ok ? outcome.reply : outcome.failure;
      if (attempts > 0) sum.calls += 1;
      sum.inputTokens += tokenUsage.input;
      sum.outputTokens += tokenUsage.output;
      sum.costUsd += costUsd ?? 0;
      sum.unpriced ||= costUsd === null;
      return outcome;
    },
    sum: () => ({ ...sum }),
  };
}
