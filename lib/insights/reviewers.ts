import { z } from 'zod';
import { reviewerAgreementSchema } from '#lib/statistics/reviewer-agreement.ts';

/** How far reviewers agree, in each way in which several of them can judge the same thing. */
export const reviewersSchema = z.object({
  opinions: reviewerAgreementSchema.meta({
    description: 'Whether a lesson is to be promoted: said before those of others are shown. Of all lessons.',
  }),
  scores: reviewerAgreementSchema.meta({
    description:
      'Whether a version reaches the threshold of its run, by the scores that people gave; later ones see the earlier.',
  }),
  preferences: reviewerAgreementSchema.meta({ description: 'Which of two versions is the better one, seen blind.' }),
});
export type Reviewers = z.infer<typeof reviewersSchema>;
