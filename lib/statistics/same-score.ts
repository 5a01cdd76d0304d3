/** Maximum difference of two scores of the same output that count as the same judgement. Source: Reflection requirements, target 4. */
export const SAME_SCORE_TOLERANCE = 0.1;
