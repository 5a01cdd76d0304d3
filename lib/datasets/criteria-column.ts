import { caseCriteriaSchema } from '#lib/core/case-criteria.ts';

/** A case's own criteria out of their column; left out where there are none. */
export const criteriaColumn = caseCriteriaSchema
  .nullish()
  .transform((criteria) => criteria ?? undefined)
  .optional();
