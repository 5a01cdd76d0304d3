import type { CriterionOf } from './criterion.ts';

type DefaultTaskType = 'writing' | 'code' | 'analysis' | 'reasoning';

/**
 * The criteria of an experiment that names none, by its `taskType`; `custom` has none. The one definition for the form, the API
 * and the engine. Source: the Reflection requirements, 2.3.
 */
export const DEFAULT_CRITERIA: Record<DefaultTaskType, readonly CriterionOf<'llm'>[]> = {
  writing: [
    judged('clarity', 'Each sentence says one thing the reader can act on, in words the reader knows.'),
    judged('coherence', 'The order follows the task, each part leads to the next, and terms stay the same.'),
    judged('completeness', 'Nothing the task asks for, or a first-time reader needs, is missing.'),
    judged('tone', 'Plain and direct, fit for the reader it is meant for; never blames the reader.'),
  ],
  code: [
    judged('correctness', 'Does what the task says, for every valid input.', 2),
    judged('efficiency', 'No needless work or memory for the sizes the task speaks of.'),
    judged('readability', 'Names and structure say what it does; nothing is there without a use.'),
    judged('edge_cases', 'Empty, single, repeated, extreme and invalid inputs are handled.'),
  ],
  analysis: [
    judged('accuracy', 'Every claim is supported by what is given, and no number or fact is made up.', 2),
    judged('depth', 'Causes and consequences are followed, not only named.'),
    judged('relevance', 'All of it answers the question, and the weightiest comes first.'),
    judged('objectivity', 'What speaks against is said as well, and opinion is marked as such.'),
  ],
  reasoning: [
    judged('logical_validity', 'Each step follows from what is given or from the steps before.', 2),
    judged('completeness', 'No step and no case is left out, and the question is answered.'),
    judged('clarity', 'A reader can check each step without guessing what is meant.'),
  ],
};

/** The default criteria of a type of task, each call its own copy; null for one that has none. */
export function defaultCriteria(taskType: string): CriterionOf<'llm'>[] | null {
  const isKnown = (name: string): name is DefaultTaskType => Object.hasOwn(DEFAULT_CRITERIA, name);
  return isKnown(taskType) ? structuredClone([...DEFAULT_CRITERIA[taskType]]) : null;
}

function judged(name: string, description: string, weight = 1): CriterionOf<'llm'> {
  return { name, description, weight, threshold: null, evaluator: 'llm', config: {} };
}
