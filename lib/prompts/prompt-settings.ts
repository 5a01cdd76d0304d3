import { type ExperimentSettings, type ModelReference, settingsSchema } from '#lib/core/settings.ts';
import type { PromptSetup } from './prompt-library.ts';

/** Stands in for the criteria of a setup that has none yet; nothing may be scored by it. */
const NONE_YET = { name: 'none yet', evaluator: 'llm' as const };

/**
 * The settings of an experiment that tries a prompt of the library as its setup says: one answer a case by `model` to `text`, scored by
 * the setup's criteria, without lessons. A setup without criteria gives settings that answers can be made by, but not scored.
 */
export function promptSettings(setup: PromptSetup, text: string, model: ModelReference): ExperimentSettings {
  return settingsSchema.parse({
    mode: 'tune',
    generator: { ...model, instructions: setup.instructions, temperature: setup.temperature },
    temperatures: { evaluate: setup.evaluatorTemperature },
    evaluatorModel: setup.evaluatorModel,
    prompts: { generate: text },
    criteria: setup.criteria.length === 0 ? [NONE_YET] : setup.criteria,
    qualityThreshold: setup.qualityThreshold,
    lessons: { store: 'none', write: 'off' },
  });
}
