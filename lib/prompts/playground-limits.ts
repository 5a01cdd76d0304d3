/** Maximum number of typed cases in one run. */
export const MAX_TYPED_CASES = 20;
