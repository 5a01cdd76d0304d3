/** An expected failure, as a message to the caller: what happened, to what, and what to do. */
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
  /** Path of the invalid field, as in the request (`criteria.0.weight`). Null if it is not a single field. */
  field: string | null;
  /** Seconds after which a retry makes sense, if known: the `Retry-After` of the response. */
  retryAfterSeconds?: number;
  /** All problems, this one first, if there is more than one. For forms. */
  all?: readonly FieldProblem[];
};

/** A problem of one field, or of the whole request. */
export type FieldProblem = Pick<Problem, 'message' | 'field'>;

/** A result without a value, and the reason. */
export type Refusal = { ok: false; problem: Problem };

/** A value, or the reason why there is none. */
export type Result<Value> = { ok: true; value: Value } | Refusal;

export function succeed<Value>(value: Value): Result<Value> {
  return { ok: true, value };
}

export function fail(code: Problem['code'], message: string, field: string | null = null): Refusal {
  return { ok: false, problem: { code, message, field } };
}

/** Refuses a request about something that is not stored. `kind`: its name in messages, such as `run`. */
export function notStored(kind: string, id: string, field: string | null = null): Refusal {
  return fail('not_found', `There is no ${kind} ${id}.`, field);
}

/** Returns all problems of a failure, in order. */
export function problemsOf(problem: Problem | null): readonly FieldProblem[] {
  return problem === null ? [] : (problem.all ?? [problem]);
}

/** Combines several problems into one failure. Returns null if there are none. */
export function failAll(problems: readonly Problem[]): Refusal | null {
  const [first] = problems;
  if (first === undefined) return null;
  const all = problems.flatMap(problemsOf);
  return { ok: false, problem: all.length === 1 ? first : { ...first, all } };
}

/** Returns a problem of a part of a request with its field relative to the whole: `input` becomes `start.input`. */
export function problemWithin(prefix: string, problem: Problem): Problem {
  const placed = <One extends FieldProblem>(one: One): One => {
    if (one.field === null) return one;
    const message = one.message.startsWith(one.field) ? `${prefix}.${one.message}` : one.message;
    return { ...one, message, field: `${prefix}.${one.field}` };
  };
  return { ...placed(problem), ...(problem.all && { all: problem.all.map(placed) }) };
}
