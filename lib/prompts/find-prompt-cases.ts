import type { TuningCase } from '#lib/core/history.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import { findDataset } from '#lib/datasets/find-dataset.ts';
import { MOST_TUNING_CASES, splitCases } from '#lib/experiments/split-cases.ts';

/** The cases that a prompt is tried on, split as a tuning run splits them; `caseCount` is that of the whole dataset. */
export type PromptCases = { datasetName: string; caseCount: number; cases: TuningCase[] };

/** The first 2,000 cases of a dataset, as many as a tuning run takes; null where there is no such dataset. */
export async function findPromptCases(database: Database, datasetId: string): Promise<PromptCases | null> {
  const dataset = await findDataset(database, datasetId, MOST_TUNING_CASES);
  if (dataset === null) return null;
  return { datasetName: dataset.name, caseCount: dataset.caseCount, cases: splitCases(dataset.cases, USUAL_TUNING) };
}

/** What decides the split where a tuning run is not told otherwise. */
const USUAL_TUNING = settingsSchema.shape.tune.parse({});
