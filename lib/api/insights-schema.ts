import { z } from 'zod';
import { armNameSchema, armNamesSchema } from '#lib/compare/arm-name.ts';
import { CASE_CHANGES } from '#lib/compare/case-change.ts';
import { optionalId, pagedByNumber } from '#lib/http/read-query.ts';
import { COMPARED_METRICS } from '#lib/statistics/paired-verdict.ts';
import { insightScopeQuery } from './runs-schema.ts';

export const insightsQuery = z.strictObject({ experimentId: optionalId, ...insightScopeQuery });

export const reviewersQuery = z.strictObject({ experimentId: optionalId });

const compared = {
  experimentIds: armNamesSchema.meta({
    description:
      'Two to five experiments, separated by commas, each as its id or as id@version; without a version the latest settings that have ended runs.',
  }),
  baseline: armNameSchema.optional().meta({ description: 'One of them; the first where it is left out.' }),
};

const comparedBy = z
  .enum(COMPARED_METRICS, { error: `must be one of ${COMPARED_METRICS.join(', ')}` })
  .optional()
  .meta({
    description:
      'What better, worse and same go by: the mean best score, or the share of runs solved; the one that says more where it is left out.',
  });

export const compareQuery = z.strictObject({
  ...pagedByNumber,
  ...compared,
  metric: comparedBy,
  show: z
    .enum(CASE_CHANGES, { error: `must be one of ${CASE_CHANGES.join(', ')}` })
    .optional()
    .meta({ description: 'Only cases on which the arm came out so against the baseline, the largest change first.' }),
  arm: armNameSchema
    .optional()
    .meta({ description: 'Whose cases `show` means; the first after the baseline where it is left out.' }),
});

export const comparisonExportQuery = z.strictObject({ ...compared, metric: comparedBy });

export const comparedCaseQuery = z.strictObject(compared);
