import { fail, type Result, succeed } from '#lib/reflection/problem.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The id of an address, `what` for short; one that is no UUID names nothing, so it is not found. */
export async function readId(params: Promise<{ id: string }>, what: string): Promise<Result<string>> {
  const { id } = await params;
  return UUID.test(id) ? succeed(id.toLowerCase()) : notFound(what);
}

export function notFound(what: string): Result<never> {
  return fail('not_found', `There is no ${what} with this id.`);
}

/** What a read found, or that there is no such thing. */
export function found<Value>(value: Value | null, what: string): Result<Value> {
  return value === null ? notFound(what) : succeed(value);
}
