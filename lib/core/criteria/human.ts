import { defineCriterion } from './definition.ts';

/** What stands for the reason of a criterion that no person has scored yet. */
export const WAITS_FOR_A_PERSON = 'Waits for a person’s score.';

/** Scored by a person: the run waits for them. `question` is what they are asked. */
export const humanCriterion = defineCriterion({
  kind: 'human',
  label: 'Person',
  name: 'person',
  summary: ({ question }) => `scored by a person${question ? `: ${question}` : ''}`,
  fields: {
    question: {
      type: 'textarea',
      label: 'Question',
      help: 'The question for the reviewer. Leave it empty to show only the criterion. The run waits for a score on each version',
      rows: 2,
      optional: true,
    },
  },
  waitsForPerson: true,
});
