import type { ExperimentSettings } from '#lib/reflection/settings.ts';

type SetName = Exclude<ExperimentSettings['taskType'], 'custom'>;
type SetCriterion = { name: string; description: string; weight: number; evaluator: 'llm' };

/** What an answer to each type of task is judged by, ready to be taken over. Source: the Reflection requirements, 2.3. */
export const CRITERIA_SETS: Record<SetName, { label: string; criteria: readonly SetCriterion[] }> = {
  writing: {
    label: 'Writing',
    criteria: [
      judged('clarity', 'Each sentence says one thing the reader can act on, in words the reader knows.'),
      judged('coherence', 'The order follows the task, each part leads to the next, and terms stay the same.'),
      judged('completeness', 'Nothing the task asks for, or a first-time reader needs, is missing.'),
      judged('tone', 'Plain and direct, fit for the reader it is meant for; never blames the reader.'),
    ],
  },
  code: {
    label: 'Code generation',
    criteria: [
      judged('correctness', 'Does what the task says, for every valid input.', 2),
      judged('efficiency', 'No needless work or memory for the sizes the task speaks of.'),
      judged('readability', 'Names and structure say what it does; nothing is there without a use.'),
      judged('edge_cases', 'Empty, single, repeated, extreme and invalid inputs are handled.'),
    ],
  },
  analysis: {
    label: 'Analysis',
    criteria: [
      judged('accuracy', 'Every claim is supported by what is given, and no number or fact is made up.', 2),
      judged('depth', 'Causes and consequences are followed, not only named.'),
      judged('relevance', 'All of it answers the question, and the weightiest comes first.'),
      judged('objectivity', 'What speaks against is said as well, and opinion is marked as such.'),
    ],
  },
  reasoning: {
    label: 'Reasoning',
    criteria: [
      judged('logical_validity', 'Each step follows from what is given or from the steps before.', 2),
      judged('completeness', 'No step and no case is left out, and the question is answered.'),
      judged('clarity', 'A reader can check each step without guessing what is meant.'),
    ],
  },
};

/** The names of the sets, in the order they are offered. */
export const SET_NAMES = ['writing', 'code', 'analysis', 'reasoning'] as const satisfies readonly SetName[];

function judged(name: string, description: string, weight = 1): SetCriterion {
  return { name, description, weight, evaluator: 'llm' };
}
