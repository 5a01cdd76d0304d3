import { z } from 'zod';

const count = z.int().min(0);

/** What two arms of a comparison are held against each other by: the share of runs that were solved, or the mean best score. */
export const COMPARED_METRICS = ['solved', 'score'] as const;
export type ComparedMetric = (typeof COMPARED_METRICS)[number];

/** `better`, `worse`: than the baseline, by more than noise. `too_few`: fewer than 6 pairs. */
export const VERDICTS = ['better', 'worse', 'within_noise', 'too_few'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** An arm against the baseline by one metric, over the `n` cases that both have it of. All differences are the arm less the baseline. */
export const pairedVerdictSchema = z.object({
  metric: z.enum(COMPARED_METRICS),
  n: count.meta({ description: 'Cases that both arms have this metric of.' }),
  baseline: z.number().nullable().meta({ description: 'Mean over the n cases, from 0 to 1.' }),
  arm: z.number().nullable(),
  difference: z.number().nullable().meta({ description: 'Above 0 is better.' }),
  low: z.number().nullable().meta({ description: 'Lower bound of the difference at 95 %; null below two cases.' }),
  high: z.number().nullable(),
  better: count,
  worse: count,
  same: count,
  test: z
    .enum(['mcnemar_exact', 'paired_bootstrap', 'student_t'])
    .nullable()
    .meta({ description: 'What `p` comes from; null where there is none.' }),
  p: z.number().min(0).max(1).nullable().meta({ description: 'Two-sided.' }),
  pHolm: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({ description: 'p once all arms that are compared by this metric are counted; the verdict goes by it.' }),
  verdict: z.enum(VERDICTS),
  casesToShow: count
    .nullable()
    .meta({ description: 'About how many cases would show a difference of this size four times of five.' }),
  reading: z.string().meta({ description: 'The verdict as a sentence, with its numbers.' }),
});
export type PairedVerdict = z.infer<typeof pairedVerdictSchema>;
