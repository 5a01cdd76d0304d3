/** Two scores of the same output further apart than this are not the same judgement. Source: Reflection requirements, target 4. */
export const SAME_WITHIN = 0.1;
