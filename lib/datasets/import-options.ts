import { z } from 'zod';
import type { CaseMapping } from './case-mapping.ts';
import type { Division } from './split-cases.ts';

const share = z
  .number({ error: 'must be a number from 0 to 1' })
  .min(0, { error: 'must be at least 0' })
  .max(1, { error: 'must be at most 1' });

/** How cases that are not divided yet are divided. */
export const divisionSchema = z.strictObject({
  heldOutShare: share.default(0.25),
  validationShare: share.default(0),
  seed: z
    .int({ error: 'must be a whole number' })
    .min(0, { error: 'must be at least 0' })
    .max(2_147_483_647, { error: 'must be at most 2147483647' })
    .default(0),
  balanceBy: z.enum(['tag', 'nothing']).default('tag'),
});

export const messageSchema = z.string().trim().max(500, { error: 'must be at most 500 characters' });

/** How an upload is read and stored; each part has its default. */
export type ImportOptions = {
  /** What each column is read as; `suggest`: as the last import into the dataset did where that fits, else by the names of the columns. */
  mapping: CaseMapping | 'suggest';
  keepOthers: boolean;
  /** What becomes of lines that are wrong: the whole import is refused, or they are left out. */
  wrong: 'refuse' | 'leave_out';
  /** What becomes of cases that are there already, or stood on an earlier line. */
  same: 'keep' | 'leave_out';
  /** How cases without a tag for it are divided; null: not at all. */
  division: Division | null;
  message: string | null;
  /** Looks only: nothing is stored. */
  dryRun: boolean;
};

export const USUAL_IMPORT: ImportOptions = {
  mapping: {},
  keepOthers: false,
  wrong: 'refuse',
  same: 'keep',
  division: null,
  message: null,
  dryRun: false,
};
