import type { PromptSetupInput } from '#lib/prompts/schema.ts';
import type { Sample } from './samples.ts';
import { supportMail, TRIAGE_CHECK, WEAK_TRIAGE_PROMPT } from './support-mail.ts';

const practice = { provider: 'practice', model: 'practice-1' };

const check: NonNullable<PromptSetupInput['criteria']>[number] = {
  name: 'right label',
  description: 'The label alone, and the right one.',
  evaluator: 'function',
  config: { code: TRIAGE_CHECK },
};

const QUALITY_THRESHOLD = 0.9;

/** A prompt of the library that knows the labels only, tuned on mail that people sorted. */
export const TUNING_SAMPLE: Sample = {
  name: 'Support mail, a prompt tuned on its failures',
  settings: {
    mode: 'tune',
    taskType: 'analysis',
    generator: { ...practice, temperature: 0 },
    prompts: { generate: WEAK_TRIAGE_PROMPT },
    criteria: [check],
    qualityThreshold: QUALITY_THRESHOLD,
    maxIterations: 8,
    // Candidates may stand still for a while: each round shows other mail.
    convergence: { plateauIterations: 4 },
    tune: { prompt: { name: 'support-triage', version: 1 }, seed: 22 },
  },
  cases: supportMail(),
  kept: {
    datasetId: '5a6f2c1e-9b0d-4f6a-8c57-2d1e90b74a33',
    dataset: 'Support mail',
    prompt: {
      name: 'support-triage',
      text: WEAK_TRIAGE_PROMPT,
      message: 'The labels, without any rule',
      setup: { models: [practice], criteria: [check], qualityThreshold: QUALITY_THRESHOLD },
    },
  },
};
