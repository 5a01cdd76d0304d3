export { HoneError, type HoneErrorDetails } from './errors.ts';
export { Api } from './generated/api.ts';
export type * from './generated/types.ts';
export { type ExperimentResult, type ExperimentRun, type FollowOptions, Hone } from './hone.ts';
export type { CallOptions, FileBody, HoneOptions, ServerEvent } from './http.ts';
export type { Prompt as PromptResult, PromptOptions } from './prompts.ts';
export type { ReportStep, StepOptions } from './steps.ts';
export {
  RetryableError,
  type TargetFunction,
  type TargetJob,
  type TargetOptions,
  type TargetOutput,
} from './target.ts';
