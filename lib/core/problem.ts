/** An expected failure, for the person or program that asked: what happened, to what, and what to do. */
export type Problem = {
  code:
    | 'invalid'
    | 'unauthorized'
    | 'forbidden'
    | 'not_found'
    | 'conflict'
    | 'too_large'
    | 'too_slow'
    | 'unsupported_type'
    | 'rate_limited'
    | 'unavailable';
  message: string;
  /** Path of the field at fault, as in the request (`criteria.0.weight`); null where it is no single field. */
  field: string | null;
  /** After how many seconds it is worth trying again, where that is known: the `Retry-After` of the answer. */
  retryAfterSeconds?: number;
};

/** A value, or why there is none. */
export type Result<Value> = { ok: true; value: Value } | { ok: false; problem: Problem };

export function succeed<Value>(value: Value): Result<Value> {
  return { ok: true, value };
}

export function fail(
  code: Problem['code'],
  message: string,
  field: string | null = null,
): { ok: false; problem: Problem } {
  return { ok: false, problem: { code, message, field } };
}
