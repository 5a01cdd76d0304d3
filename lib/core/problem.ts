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
  /** Everything that is wrong, this first, where it is more than one thing. For forms; the API tells the first. */
  all?: readonly FieldProblem[];
};

/** What is wrong with one field, or with a request as a whole. */
export type FieldProblem = Pick<Problem, 'message' | 'field'>;

/** Why there is no value. */
export type Refusal = { ok: false; problem: Problem };

/** A value, or why there is none. */
export type Result<Value> = { ok: true; value: Value } | Refusal;

export function succeed<Value>(value: Value): Result<Value> {
  return { ok: true, value };
}

export function fail(code: Problem['code'], message: string, field: string | null = null): Refusal {
  return { ok: false, problem: { code, message, field } };
}

/** Everything that a refusal says is wrong, the first first. */
export function problemsOf(problem: Problem | null): readonly FieldProblem[] {
  return problem === null ? [] : (problem.all ?? [problem]);
}

/** One refusal out of several; null where there is none. */
export function failAll(problems: readonly Problem[]): Refusal | null {
  const [first] = problems;
  if (first === undefined) return null;
  const all = problems.flatMap(problemsOf);
  return { ok: false, problem: all.length === 1 ? first : { ...first, all } };
}

/** A problem with a part of a request, by its place in the whole: `input` becomes `start.input`. */
export function problemWithin(place: string, problem: Problem): Problem {
  const placed = <One extends FieldProblem>(one: One): One => {
    if (one.field === null) return one;
    const message = one.message.startsWith(one.field) ? `${place}.${one.message}` : one.message;
    return { ...one, message, field: `${place}.${one.field}` };
  };
  return { ...placed(problem), ...(problem.all && { all: problem.all.map(placed) }) };
}
