import { z } from 'zod';
import type { PromptVersion, PromptVersionText } from './prompt-library.ts';

/** Columns of a version `v` without its text, as `promptVersionRow` reads them; `r` is its run, joined or null. */
export const VERSION_COLUMNS = `v.number, v.message, v.parent, v.run_id AS "runId", r.number AS "runNumber", v.run_version AS "runVersion",
  length(v.text) AS length, v.created_by AS "createdBy", v.created_at AS "createdAt"`;

const columns = z.object({
  number: z.int(),
  message: z.string(),
  parent: z.int().nullable(),
  runId: z.string().nullable(),
  runNumber: z.int().nullable(),
  runVersion: z.int().nullable(),
  length: z.int(),
  createdBy: z.string(),
  createdAt: z.date(),
});

export const promptVersionRow = columns.transform(toVersion);
export const promptTextRow = columns
  .extend({ text: z.string() })
  .transform((row): PromptVersionText => ({ ...toVersion(row), text: row.text }));

function toVersion(row: z.output<typeof columns>): PromptVersion {
  const { number, message, parent, runId, runNumber, runVersion, length, createdBy, createdAt } = row;
  const run = runVersion === null ? null : { id: runId, number: runNumber, version: runVersion };
  return { number, message, parent, run, length, createdBy, createdAt: createdAt.toISOString() };
}

export const promptLabelRow = z.object({
  label: z.string(),
  version: z.int(),
  movedBy: z.string(),
  movedAt: z.date().transform((value) => value.toISOString()),
});

export const labelMoveRow = promptLabelRow.extend({
  id: z.int(),
  version: z.int().nullable(),
  previous: z.int().nullable(),
  reason: z.string().nullable(),
});
