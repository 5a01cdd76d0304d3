import { z } from 'zod';
import { equalCostSchema } from '#lib/statistics/equal-cost.ts';
import { insightsReportSchema } from './insights-report.ts';

/** The newest equal-cost control of the experiments, beside what it is the control of. `unit`: tokens where not every call has a price. */
export const equalCostPanelSchema = equalCostSchema.extend({
  experimentId: z.string(),
  version: z.int(),
  name: z.string(),
  controlId: z.string(),
  controlVersion: z.int(),
  unit: z.enum(['usd', 'tokens']),
});
export type EqualCostPanel = z.infer<typeof equalCostPanelSchema>;

/** What is measured over many runs. */
export const insightsSchema = z.object({
  models: z
    .enum(['real', 'practice', 'all'])
    .meta({ description: 'Whose runs: where nothing was asked for, those of real models if there are any.' }),
  since: z.iso.datetime().nullable(),
  report: insightsReportSchema,
  equalCost: equalCostPanelSchema.nullable(),
});
export type Insights = z.infer<typeof insightsSchema>;
