import { cookies } from 'next/headers';
import { z } from 'zod';
import type { AuditAction } from '#lib/audit/schema.ts';
import { fail, type Result } from '#lib/core/problem.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { deletedProblem } from '#lib/database/transactions.ts';
import type { RateName } from '#lib/environment.ts';
import { withLocalMoments } from '#lib/format.ts';
import { jsonLength } from '#lib/input/json-length.ts';
import type { Actor } from './actor.ts';
import { admitAnyone, authorize } from './authorize.ts';
import { readTimeZone, TIME_ZONE_COOKIE } from './reader-time-zone.ts';
import type { Role } from './role.ts';

/** Kinds of subjects whose UUID is passed to actions. */
type IdentifiedKind = 'experiment' | 'run' | 'token' | 'view';

type Rules = {
  /** The lowest role that may call the action. */
  role: Role;
  /** Rate limit in addition to the limit of requests. */
  limit?: RateName;
  /** The events that the action may record in the audit log, or the reason why it records none. */
  audit: AuditAction | readonly AuditAction[] | { none: string };
};

/** Kind of the subject identified by the first argument. An invalid id returns a not-found result. */
type IdRule = { id: IdentifiedKind };

/** Kind of the subject named by the first argument. A name that the database could not store returns a not-found result. */
type NameRule = { named: 'prompt' };

/** Caller of an open action, if known, and its address. */
type Visitor = { actor: Actor | null; address: string };

/**
 * Declares a server action: its access rules, rate limit, audit events and handler. `name`: its exported name. The caller is authorized
 * first. Error messages show times in the caller's time zone.
 */
export function defineAction<Input extends [idOrName: string, ...unknown[]], Output>(
  name: `${string}Action`,
  rules: Rules & (IdRule | NameRule),
  handle: (actor: Actor, ...input: Input) => Promise<Output>,
): (...input: Input) => Promise<Output>;
export function defineAction<Input extends unknown[], Output>(
  name: `${string}Action`,
  rules: Rules & { id?: never; named?: never },
  handle: (actor: Actor, ...input: Input) => Promise<Output>,
): (...input: Input) => Promise<Output>;
export function defineAction<Input extends unknown[], Output>(
  name: `${string}Action`,
  { role, limit, id, named }: Rules & Partial<IdRule & NameRule>,
  handle: (actor: Actor, ...input: Input) => Promise<Output>,
): (...input: Input) => Promise<Output> {
  return async (...input) => {
    const actor = await authorize({ name: `action ${name}`, role, limit: limit ?? null });
    // Actions that receive an input, an id or a name return a Result.
    if (jsonLength(input) > MAX_INPUT_LENGTH) return fail('too_large', 'The input is too large.') as Output;
    if (id !== undefined && !idSchema.safeParse(input[0]).success) return noSuch(id, 'id') as Output;
    if (named !== undefined && !isName(input[0])) return noSuch(named, 'name') as Output;
    return withReaderMoments(await refuseDeleted(() => handle(actor, ...input)));
  };
}

/** Performs an action. Something that it refers to may be deleted at the same time: the action then returns a not-found result. */
async function refuseDeleted<Output>(work: () => Promise<Output>): Promise<Output> {
  try {
    return await work();
  } catch (error) {
    const deleted = deletedProblem(error);
    if (deleted === null) throw error;
    return deleted as Output;
  }
}

/** More characters than the largest request has. A small one can refer to the same objects so often that it would take hours to read. */
const MAX_INPUT_LENGTH = 10_000_000;

const refusalSchema = z.object({ ok: z.literal(false), problem: z.looseObject({ message: z.string() }) });

async function withReaderMoments<Output>(output: Output): Promise<Output> {
  const refusal = refusalSchema.safeParse(output);
  if (!refusal.success) return output;
  const timeZone = readTimeZone((await cookies()).get(TIME_ZONE_COOKIE)?.value);
  if (timeZone === null) return output;
  const { problem } = refusal.data;
  return { ...output, problem: { ...problem, message: withLocalMoments(problem.message, timeZone) } };
}

const idSchema = z.guid();

function isName(value: unknown): boolean {
  return typeof value === 'string' && cleanText(value) === value;
}

function noSuch(kind: string, key: 'id' | 'name'): Result<never> {
  return fail('not_found', `There is no ${kind} with this ${key}. Reload the page, then try again.`);
}

/** Declares a server action that is open to unauthenticated callers, such as the sign-in. */
export function defineOpenAction<Input extends unknown[], Output>(
  name: `${string}Action`,
  _rules: Pick<Rules, 'audit'>,
  handle: (visitor: Visitor, ...input: Input) => Promise<Output>,
): (...input: Input) => Promise<Output> {
  return async (...input) => handle(await admitAnyone({ name: `action ${name}` }), ...input);
}
