import { defineCriterion } from './definition.ts';

/** Placeholder reason of a criterion that no person has scored yet. */
export const WAITS_FOR_A_PERSON = 'Waits for a person’s score.';

/** Scored by a person, for whom the run waits. `question` is shown to them. */
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
