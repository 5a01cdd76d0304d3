/** What the sandbox is asked: to run `code`, and then its function `evaluate` with the JSON text `argument`; null only looks for the function. */
export type JavascriptRequest = { code: string; argument: string | null };

/**
 * What became of it. `json` is what `evaluate` returned, as JSON with non-finite numbers as {"notFinite": "NaN"}; null when it
 * returned nothing that JSON can hold. Messages are at most 2,000 characters.
 */
export type JavascriptAnswer =
  | { type: 'returned'; json: string | null }
  | { type: 'checked' }
  | { type: 'no_function' }
  | { type: 'syntax_error'; message: string; line: number | null }
  | { type: 'threw'; message: string }
  | { type: 'too_large' }
  | { type: 'out_of_time' }
  | { type: 'out_of_memory' }
  | { type: 'broken'; message: string };

/** How long a function may run, in milliseconds. */
export const JAVASCRIPT_TIME_MS = 1_000;
/** How much memory it may use, in bytes. */
export const JAVASCRIPT_MEMORY_BYTES = 64 * 1024 * 1024;
/** How long what it returns may be, as JSON, in characters. */
export const JAVASCRIPT_RETURN_LENGTH = 100_000;
