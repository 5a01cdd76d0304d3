import { z } from 'zod';

/** Targets a column can be mapped to, apart from a variable (`variable.NAME`). */
const COLUMN_TARGETS = ['input', 'choices', 'reference', 'tags', 'metadata', 'criteria', 'ignore'] as const;
const VARIABLE = /^variable\.[\w-]{1,100}$/;
const MAX_COLUMNS = 200;

/**
 * Maps each column (a table header, a key of a JSON object, or `a.b` for a nested key) to its target. `metadata` keeps the column under its
 * own name. `choices` adds it to the input as lettered choices, and an answer that names a choice becomes its letter. `variable.NAME`
 * stores it as metadata that a prompt inserts with `{{metadata.NAME}}`.
 */
export const caseMappingSchema = z
  .record(
    z.string().max(200, { error: 'must name columns of at most 200 characters' }),
    z.string().refine((target) => COLUMN_TARGETS.some((one) => one === target) || VARIABLE.test(target), {
      error: `must be one of ${COLUMN_TARGETS.join(', ')}, or variable.NAME with a name of letters, digits, "-" and "_"`,
    }),
  )
  .refine((mapping) => Object.keys(mapping).length <= MAX_COLUMNS, {
    error: `must map at most ${MAX_COLUMNS} columns`,
  });
export type CaseMapping = z.infer<typeof caseMappingSchema>;
