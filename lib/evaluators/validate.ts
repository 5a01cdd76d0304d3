import type { PythonRunner } from './python/python-report.ts';

/**
 * What an external validator is sent; the shell adds the id of the run. `reference` goes along: the service is the operator's own.
 * `threshold` is the criterion's own, else the overall one.
 */
export type ValidatorRequest = {
  criterion: { name: string; description: string; threshold: number };
  output: string;
  input: string;
  reference: string | null;
  metadata: Record<string, unknown>;
  tags: string[];
  /** Of the output within its run; null where it is tried before it is one. */
  version: number | null;
};

/** What asking a validator came to: its answer as JSON, or why there is none, as a sentence for people. */
export type ValidateOutcome =
  | { ok: true; json: unknown; durationMs: number }
  | { ok: false; problem: string; aborted: boolean; durationMs: number };

/** Asks the webhook of a name. Never throws for what the service does. */
export type Validate = (webhook: string, request: ValidatorRequest) => Promise<ValidateOutcome>;

/** What evaluators ask outside of the models. */
export type EvaluatorServices = { validate: Validate; python: PythonRunner };

/** For loops that score without the installation's webhooks. */
export const NO_SERVICES: EvaluatorServices = {
  validate: async () => ({ ok: false, problem: 'No webhook can be asked here.', aborted: false, durationMs: 0 }),
  python: async () => ({ type: 'off' }),
};
