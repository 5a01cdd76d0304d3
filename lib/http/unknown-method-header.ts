/** Names the method of a request that reaches the API as OPTIONS, since Next passes on no method that it does not know. */
export const UNKNOWN_METHOD_HEADER = 'x-hone-unknown-method';
