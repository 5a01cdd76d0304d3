/** The reflection loop as a library: what the package exports as `hone/engine`. */
export { createEngine, type Engine, type EngineOptions, type Reflection, type Task } from '#lib/core/engine.ts';
export type { EngineHistory, EngineResult, EngineVersion } from '#lib/core/engine-result.ts';
export type { EngineAsk, EngineTools, ToolDecision, Validate, Verdict } from '#lib/core/engine-services.ts';
export type { EngineSettings } from '#lib/core/engine-settings.ts';
export { evaluateAlone } from '#lib/evaluators/evaluate-output.ts';
