import { NO_SPEND } from '../history.ts';
import type { StepContext } from '../perform-step.ts';
import type { Step, StepResult } from '../step.ts';
import { performProposal } from './perform-proposal.ts';
import { scoreExamples } from './perform-tries.ts';

export type TuningStep = Extract<Step, { type: 'give' | 'try' | 'propose' | 'redraw' }>;

/** Does a step of a tuning run; null when its calls were aborted. */
export async function performTuningStep(step: TuningStep, context: StepContext): Promise<StepResult | null> {
  switch (step.type) {
    case 'give':
      return give(context);
    case 'try':
      return scoreExamples(step, context);
    case 'propose':
      return performProposal(step, context);
    case 'redraw':
      return redraw(step, context);
  }
}

function redraw(
  { toTraining, toValidation }: Extract<Step, { type: 'redraw' }>,
  { history, now }: StepContext,
): StepResult {
  const createdAt = now().toISOString();
  return { type: 'redraw', redraw: { toTraining, toValidation, createdAt, step: history.step } };
}

function give({ history, settings, now }: StepContext): StepResult {
  const output = settings.prompts.generate;
  if (output === null) throw new Error('a tuning run has no prompt to begin with');
  return {
    type: 'version',
    version: {
      ...NO_SPEND,
      number: history.versions.length,
      iteration: 0,
      origin: 'given',
      parents: [],
      output,
      outputDropped: false,
      strategy: null,
      strategyNote: null,
      improvementsApplied: [],
      finishReason: 'stop',
      interrupted: false,
      recalledLessons: [],
      proposal: null,
      createdAt: now().toISOString(),
      step: history.step,
    },
  };
}
