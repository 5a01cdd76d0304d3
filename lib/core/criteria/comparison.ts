import { defineCriterion, JUDGE_REMEDY } from './definition.ts';

/**
 * Judged by a model side by side with another text, in both orders: the previous version, the best one so far, or the case's reference. Two
 * wins score 1, two losses 0, everything else is a tie with 0.5. A threshold of up to 0.5 therefore accepts "no worse".
 */
export const comparisonCriterion = defineCriterion({
  kind: 'comparison',
  label: 'LLM judge (comparison)',
  name: 'comparison',
  summary: ({ against }) => `compared by a model with ${OTHERS[against]}`,
  fields: {
    against: {
      type: 'select',
      label: 'Compare with',
      options: [
        { value: 'previous', label: 'the previous version' },
        { value: 'best', label: 'the best version so far' },
        { value: 'reference', label: 'the reference answer' },
      ],
    },
  },
  note: ({ against }) =>
    `A judge compares both texts in both orders, without knowing which is which. Better in both orders scores 1, worse in both scores 0, anything else is a tie and scores 0.5. ${
      against === 'reference' ? '' : 'The first version has nothing to be compared with, so it is a tie. '
    }A tie passes if the threshold is 0.5 or less.`,
  // The judge must not be able to identify the output or the reference among the two texts.
  judge: { withholds: ({ against }) => (against === 'reference' ? ['output', 'reference'] : ['output']) },
  calls: () => 2,
  comparesWith: ({ against }) => (against === 'reference' ? null : against),
  usesReference: ({ against }) => against === 'reference',
  lacks: ({ against }, reference) => (against === 'reference' && (reference ?? '').trim() === '' ? 'reference' : null),
  remedy: JUDGE_REMEDY,
});

const OTHERS = {
  previous: 'the previous version',
  best: 'the best version so far',
  reference: 'the reference',
};
