import { z } from 'zod';
import { oneOf } from '#lib/core/setting-parts.ts';
import { defineCriterion, JUDGE_REMEDY } from './definition.ts';

/**
 * Judged by a model side by side with another text, in both orders: the version before, the best one so far, or the case's
 * reference. A win in both is 1, a loss in both 0, all else a tie, 0.5; so a threshold of up to 0.5 takes "no worse".
 */
export const comparisonCriterion = defineCriterion({
  kind: 'comparison',
  config: z.strictObject({ against: oneOf(['previous', 'best', 'reference']) }),
  label: 'a model, side by side',
  name: 'comparison',
  summary: ({ against }) => `judged by a model beside ${OTHERS[against]}`,
  fields: {
    against: {
      type: 'select',
      label: 'Compared with',
      options: [
        { value: 'previous', label: 'the version before' },
        { value: 'best', label: 'the best version so far' },
        { value: 'reference', label: 'the reference answer' },
      ],
    },
  },
  note: ({ against }) =>
    `A judge sees both, in both orders, and is not told which is which: better both times is 1, worse both times 0, all else a tie, 0.5. ${
      against === 'reference' ? '' : 'The first version has nothing beside it: a tie. '
    }With a threshold of 0.5 or less a tie is good enough.`,
  // The judge must not know which of the two texts is the output or the reference.
  judge: { withholds: ({ against }) => (against === 'reference' ? ['output', 'reference'] : ['output']) },
  calls: () => 2,
  comparesWith: ({ against }) => (against === 'reference' ? null : against),
  usesReference: ({ against }) => against === 'reference',
  lacks: ({ against }, reference) => (against === 'reference' && (reference ?? '').trim() === '' ? 'reference' : null),
  remedy: JUDGE_REMEDY,
});

const OTHERS = {
  previous: 'the version before',
  best: 'the best version so far',
  reference: 'the reference',
};
