/** Header with the original method of a request that reaches the API as OPTIONS, because Next does not forward unknown methods. */
export const UNKNOWN_METHOD_HEADER = 'x-hone-unknown-method';
