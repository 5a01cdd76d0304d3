import { type ExperimentSettings, type ExperimentSettingsInput, settingsSchema } from '#lib/reflection/settings.ts';

/** A place to start from. */
export type ExperimentTemplate = { id: string; label: string; meaning: string; settings: ExperimentSettings };

const practice = { provider: 'practice', model: 'practice-1' };

function template(
  id: string,
  label: string,
  meaning: string,
  settings: Omit<ExperimentSettingsInput, 'generator'> & { instructions: string },
): ExperimentTemplate {
  const { instructions, ...rest } = settings;
  return { id, label, meaning, settings: settingsSchema.parse({ ...rest, generator: { ...practice, instructions } }) };
}

function judged(name: string, description: string, weight = 1) {
  return { name, description, weight, evaluator: 'llm' as const };
}

/** One template a kind of task, and one that tries again with lessons until an answer is right. */
export const EXPERIMENT_TEMPLATES: readonly ExperimentTemplate[] = [
  template('writing', 'Writing', 'revised until it reads well', {
    mode: 'revise',
    taskType: 'writing',
    instructions: 'Write what is asked for a reader who sees the subject for the first time.',
    criteria: [
      judged('clarity', 'Each sentence says one thing the reader can act on.'),
      judged('coherence', 'The order follows the task; terms stay the same.'),
      judged('completeness', 'Nothing a first-time reader needs is missing.'),
      judged('tone', 'Plain and direct; never blames the reader.'),
    ],
  }),
  template('code', 'Code', 'revised until it is right and readable', {
    mode: 'revise',
    taskType: 'code',
    instructions: 'Write the code that is asked for. Answer with the code and nothing else.',
    criteria: [
      judged('correctness', 'Does what the task says, for every valid input.', 2),
      judged('efficiency', 'No needless work for the sizes the task speaks of.'),
      judged('readability', 'Names and structure say what it does.'),
      judged('edge_cases', 'Empty, single, repeated and extreme inputs are handled.'),
    ],
  }),
  template('analysis', 'Analysis', 'revised until it is sound', {
    mode: 'revise',
    taskType: 'analysis',
    instructions: 'Analyse what is asked. Say what follows from what, and how sure it is.',
    criteria: [
      judged('accuracy', 'Every claim is supported by what is given.', 2),
      judged('depth', 'Causes and consequences are followed, not only named.'),
      judged('relevance', 'All of it answers the question.'),
      judged('objectivity', 'What speaks against is said as well.'),
    ],
  }),
  template('reasoning', 'Reasoning', 'revised until each step follows', {
    mode: 'revise',
    taskType: 'reasoning',
    instructions: 'Solve the problem step by step, then give the answer on a line of its own.',
    criteria: [
      judged('logical_validity', 'Each step follows from the ones before.', 2),
      judged('completeness', 'No step and no case is left out.'),
      judged('clarity', 'A reader can check each step.'),
    ],
  }),
  template('exact', 'Exact answers', 'tries again with its own lessons until the answer is right', {
    mode: 'retry',
    taskType: 'reasoning',
    instructions: 'Work out the answer, then write it as Answer[…] on the last line.',
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
];
