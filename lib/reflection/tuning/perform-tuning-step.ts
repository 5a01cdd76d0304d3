import type { StepContext } from '../perform-step.ts';
import type { Step, StepResult } from '../step.ts';

export type TuningStep = Extract<Step, { type: 'give' | 'try' | 'propose' }>;

/** Does a step of a tuning run; null when its calls were aborted. */
export async function performTuningStep(_step: TuningStep, _context: StepContext): Promise<StepResult | null> {
  throw new Error('not built yet');
}
