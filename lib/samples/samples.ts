import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { type Sample, TUNING_SAMPLE } from './tuning-sample.ts';

const practice = { provider: 'practice', model: 'practice-1' };

/** Task of the first sample. */
export const SAMPLE_INPUT = 'Explain our rate limits to a new user';

const writing: ExperimentSettingsInput = {
  mode: 'revise',
  taskType: 'writing',
  generator: { ...practice, instructions: 'You write short help texts for the users of a web service.' },
  criteria: [
    { name: 'clarity', description: 'Plain words, short sentences, no vague or hedging phrases.', evaluator: 'llm' },
    { name: 'coherence', description: 'One thought follows from the other; nothing is said twice.', evaluator: 'llm' },
    {
      name: 'completeness',
      description: 'Says what to do, step by step, with an example and a summary.',
      evaluator: 'llm',
    },
    { name: 'tone', description: 'Friendly and calm; speaks to the reader.', evaluator: 'llm' },
  ],
  qualityThreshold: 0.8,
  maxIterations: 5,
};

/**
 * Samples of a new installation: a loop that finishes, one that waits for a person, a prompt that is tuned, and a batch that learns
 * lessons.
 */
export const SAMPLES: Sample[] = [
  {
    kind: 'improve',
    name: 'Help texts, revised with a judge',
    settings: writing,
    cases: [{ input: SAMPLE_INPUT }],
  },
  {
    kind: 'review',
    name: 'Help texts, a person decides before the end',
    settings: { ...writing, callbacks: { pause: 'before_finish' } },
    cases: [{ input: 'Explain our password rules to a new customer' }],
  },
  TUNING_SAMPLE,
  {
    kind: 'learn',
    name: 'Mental arithmetic, retried with lessons',
    settings: {
      mode: 'retry',
      taskType: 'reasoning',
      generator: { ...practice, instructions: 'Work out the task. End with the result as Finish[number].' },
      criteria: [
        {
          name: 'exact answer',
          description: 'The number in the last Finish[...] is right.',
          evaluator: 'reference',
          config: { match: 'exact', extract: 'Finish\\[(.*?)\\]' },
        },
      ],
      qualityThreshold: 1,
      maxAttempts: 5,
      convergence: null,
    },
    cases: arithmetic(),
  },
];

function arithmetic(): { input: string; reference: string }[] {
  return Array.from({ length: 20 }, (_, position) => {
    const [one, two, three] = [12 + position * 3, 3 + (position % 7), 5 + position * 2];
    return {
      input: `What is ${three} + ${one} × ${two}? Answer as Finish[number].`,
      reference: String(three + one * two),
    };
  });
}
