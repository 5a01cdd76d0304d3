/** The response header by which proxy.ts tells the server which status to answer with; it does not leave the server. */
export const STATUS_HEADER = 'x-hone-status';
