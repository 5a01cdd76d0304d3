import { type ExperimentSettings, type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import { CRITERIA_SETS, fromCriterionDraft } from './criterion-draft.ts';
import { derivedCriterion } from './first-prompt.ts';

/** Template for a new experiment. */
type ExperimentTemplate = { id: string; label: string; meaning: string; settings: ExperimentSettings };

const practice = { provider: 'practice', model: 'practice-1' };

function template(
  id: string,
  label: string,
  meaning: string,
  settings: Omit<ExperimentSettingsInput, 'generator'> & {
    instructions: string;
    base?: ExperimentSettingsInput['generator']['base'];
  },
): ExperimentTemplate {
  const { instructions, base, ...rest } = settings;
  const generator = { ...practice, instructions, base };
  return { id, label, meaning, settings: settingsSchema.parse({ ...rest, generator }) };
}

const { name, description } = fromCriterionDraft(derivedCriterion(''));

/** Templates for new experiments: a custom prompt, one per task type, retry with lessons with and without an agent, and prompt tuning. */
export const EXPERIMENT_TEMPLATES: readonly ExperimentTemplate[] = [
  template('own', 'Your own prompt', 'Judged by what the prompt requires, and revised until it passes', {
    mode: 'revise',
    instructions: '',
    criteria: [{ name, description, evaluator: 'llm' }],
  }),
  template('writing', 'Writing', 'Revised until it reads well', {
    mode: 'revise',
    taskType: 'writing',
    instructions: 'Write for a reader who is new to the subject.',
    criteria: [...CRITERIA_SETS.writing.criteria],
  }),
  template('code', 'Code', 'Revised until it is right and readable', {
    mode: 'revise',
    taskType: 'code',
    instructions: 'Write the requested code. Answer with the code and nothing else.',
    criteria: [...CRITERIA_SETS.code.criteria],
  }),
  template('analysis', 'Analysis', 'Revised until it is sound', {
    mode: 'revise',
    taskType: 'analysis',
    instructions: 'Analyze the question. Explain each conclusion and how certain it is.',
    criteria: [...CRITERIA_SETS.analysis.criteria],
  }),
  template('reasoning', 'Reasoning', 'Revised until each step follows', {
    mode: 'revise',
    taskType: 'reasoning',
    instructions: 'Solve the problem step by step, then give the answer on a line of its own.',
    criteria: [...CRITERIA_SETS.reasoning.criteria],
  }),
  template('exact', 'Exact answers', 'Tries again with its own lessons until the answer is right', {
    mode: 'retry',
    taskType: 'reasoning',
    instructions: 'Solve the problem, then write the result as Answer[…] on the last line.',
    maxAttempts: 5,
    criteria: [
      {
        name: 'exact_match',
        description: 'The last Answer[…] is the reference answer.',
        threshold: 1,
        evaluator: 'reference',
        config: { match: 'exact', normalize: 'squad', extract: 'Answer\\[([^\\]]*)\\]' },
      },
    ],
    qualityThreshold: 1,
  }),
  template('agent', 'Agent with tools', 'Thinks, uses a calculator, and tries again with its own lessons', {
    mode: 'retry',
    taskType: 'reasoning',
    instructions: 'Find the requested number. Use the tools when they help. Put the number at the end of your answer.',
    base: { type: 'react', tools: ['calculator'] },
    criteria: [
      {
        name: 'right_number',
        description: 'The last number equals the number in the reference.',
        threshold: 1,
        evaluator: 'reference',
        config: { match: 'numeric' },
      },
    ],
    qualityThreshold: 1,
  }),
  template('tune', 'Tune a prompt', 'Proposes better prompts from the cases of a dataset that fail', {
    mode: 'tune',
    instructions: '',
    prompts: { generate: 'Which kind of mail is this? Answer with one word.\n\n{{input}}' },
    maxIterations: 8,
    criteria: [
      {
        name: 'exact_match',
        description: 'The reply is the reference answer and nothing else.',
        evaluator: 'reference',
        config: { match: 'exact', normalize: 'squad' },
      },
    ],
    qualityThreshold: 0.9,
  }),
];
