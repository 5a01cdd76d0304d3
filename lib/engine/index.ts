/** The reflection loop as a library. The package exports this module as `hone/engine`. */
export type { Engine, Reflection, Task } from '#lib/core/engine.ts';
export type { EngineHistory, EngineResult, EngineVersion } from '#lib/core/engine-result.ts';
export type {
  EngineAsk,
  EngineCallOptions,
  EngineTools,
  ToolDecision,
  Validate,
  Verdict,
} from '#lib/core/engine-services.ts';
export { evaluateAlone } from '#lib/evaluators/evaluate-output.ts';
export type { GivenModel, GivenTools, OnText } from '#lib/providers/ai-sdk-models.ts';
export {
  createEngine,
  type EngineOptions,
  type EngineSettings,
  type SchemaCriterion,
  type TunedPrompt,
  type TunePromptOptions,
  tunePrompt,
} from './create-engine.ts';
