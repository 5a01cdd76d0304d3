import type { AuditAct } from '#lib/audit/schema.ts';
import type { RateName } from '#lib/environment.ts';
import type { Actor } from './actor.ts';
import { admitAnyone, authorize } from './authorize.ts';
import type { Role } from './role.ts';

type Rules = {
  /** The lowest role that may call the action. */
  role: Role;
  /** A rate limit that counts besides the limit of requests. */
  limit?: RateName;
  /** The events that the action may record in the audit log, or the reason why it records none. */
  audit: AuditAct | readonly AuditAct[] | { none: string };
};

/** Who calls an open action, where that can be told, and from where. */
type Visitor = { actor: Actor | null; address: string };

/**
 * Declares a server action: who may call it, what it counts as and records, and what it does. `name`: as it is exported. The caller is
 * authorized before anything else happens.
 */
export function defineAction<Input extends unknown[], Output>(
  name: `${string}Action`,
  { role, limit }: Rules,
  handle: (actor: Actor, ...input: Input) => Promise<Output>,
): (...input: Input) => Promise<Output> {
  return async (...input) => handle(await authorize({ name: `action ${name}`, role, limit: limit ?? null }), ...input);
}

/** Declares a server action that is open to callers who have not signed in, such as the sign-in itself. */
export function defineOpenAction<Input extends unknown[], Output>(
  name: `${string}Action`,
  _rules: Pick<Rules, 'audit'>,
  handle: (visitor: Visitor, ...input: Input) => Promise<Output>,
): (...input: Input) => Promise<Output> {
  return async (...input) => handle(await admitAnyone({ name: `action ${name}` }), ...input);
}
