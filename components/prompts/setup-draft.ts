import { type CriterionDraft, fromCriterionDraft, toCriterionDraft } from '#components/experiment/criterion-draft.ts';
import { orNull, read, typed } from '#components/experiment/draft-entries.ts';
import type { ModelReference } from '#lib/core/settings.ts';
import type { PromptSetup } from '#lib/prompts/prompt-library.ts';

/** What a prompt is tried with while it is edited: numbers as text, an empty entry for none. */
export type SetupDraft = {
  datasetId: string;
  models: ModelReference[];
  temperature: string;
  evaluatorTemperature: string;
  instructions: string;
  criteria: CriterionDraft[];
  evaluatorModel: ModelReference | null;
  qualityThreshold: string;
};

export function toSetupDraft(setup: PromptSetup): SetupDraft {
  return {
    datasetId: setup.datasetId ?? '',
    models: setup.models,
    temperature: typed(setup.temperature),
    evaluatorTemperature: typed(setup.evaluatorTemperature),
    instructions: setup.instructions,
    criteria: setup.criteria.map(toCriterionDraft),
    evaluatorModel: setup.evaluatorModel,
    qualityThreshold: typed(setup.qualityThreshold),
  };
}

/** What is sent to be stored; entries that are no numbers go as they were typed, so that the answer can name them. */
export function fromSetupDraft(draft: SetupDraft) {
  return {
    datasetId: draft.datasetId === '' ? null : draft.datasetId,
    models: draft.models,
    temperature: orNull(draft.temperature),
    evaluatorTemperature: orNull(draft.evaluatorTemperature),
    instructions: draft.instructions,
    criteria: draft.criteria.map(fromCriterionDraft),
    evaluatorModel: draft.evaluatorModel,
    qualityThreshold: read(draft.qualityThreshold),
  };
}

/** What a single criterion is judged by beside itself, where it is tried on an output. */
export function judgingOfSetup(draft: SetupDraft): Record<string, unknown> {
  const [model] = draft.models;
  const { instructions, temperature, evaluatorTemperature, evaluatorModel } = fromSetupDraft(draft);
  return {
    generator: { ...model, instructions, temperature },
    temperatures: { evaluate: evaluatorTemperature },
    evaluatorModel,
  };
}
