import type { Result } from '#lib/core/problem.ts';
import type { LabelEvaluation } from '#lib/prompts/evaluation-schema.ts';
import type { MovedLabel } from '#lib/prompts/prompt-record.ts';

/** What can be done with the labels of a prompt; each answers once it is stored, or why it is not. */
export type LabelActions = {
  move: (name: string, label: string, input: unknown) => Promise<Result<MovedLabel>>;
  takeOff: (name: string, label: string) => Promise<Result<MovedLabel>>;
  rollBack: (name: string, label: string, input: unknown) => Promise<Result<MovedLabel>>;
  /** What the held-out cases say of a version against another one. */
  prove: (name: string, versions: unknown) => Promise<Result<LabelEvaluation>>;
};
