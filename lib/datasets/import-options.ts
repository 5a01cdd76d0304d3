import { z } from 'zod';
import { integerBetween, numberBetween } from '#lib/core/setting-parts.ts';
import type { CaseMapping } from './case-mapping-schema.ts';

const share = numberBetween(0, 1);

/**
 * Shares for splitting cases that have no split yet. `balanceBy`: with `tag`, each group of cases with the same first tag gets its share,
 * rounded to whole cases.
 */
export const divisionSchema = z.strictObject({
  heldOutShare: share.default(0.25),
  validationShare: share.default(0),
  seed: integerBetween(0, 2_147_483_647).default(0),
  balanceBy: z.enum(['tag', 'nothing']).default('tag'),
});
export type Division = z.infer<typeof divisionSchema>;

export const messageSchema = z.string().trim().max(500, { error: 'must be at most 500 characters' });

/** Options for reading and storing an upload. Each has a default. */
export type ImportOptions = {
  /** Target of each column. `suggest` uses the mapping of the last import into the dataset if it fits, otherwise the column names. */
  mapping: CaseMapping | 'suggest';
  keepOthers: boolean;
  /** Handling of faulty lines: `refuse` rejects the whole import, `leave_out` skips them. */
  wrong: 'refuse' | 'leave_out';
  /** Handling of cases that already exist or occurred on an earlier line. */
  same: 'keep' | 'leave_out';
  /** Split of cases without a split tag. Null to leave them unsplit. */
  division: Division | null;
  message: string | null;
  /** Checks the upload without storing anything. */
  dryRun: boolean;
};

export const DEFAULT_IMPORT_OPTIONS: ImportOptions = {
  mapping: {},
  keepOthers: false,
  wrong: 'refuse',
  same: 'keep',
  division: null,
  message: null,
  dryRun: false,
};
