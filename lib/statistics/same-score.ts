/**
 * Maximum difference between two scores of the same output that counts as the same judgement. Source: Reflection requirements, target 4.
 */
export const SAME_WITHIN = 0.1;
