import { redirect } from 'next/navigation';
import { signInPath } from '#lib/auth/sign-in/sign-in-path.ts';
import type { EntryKind } from './actor.ts';
import { type Refusal, refusalDigest } from './refusal-digest.ts';
import type { Role } from './role.ts';

const CODES = { 401: 'unauthorized', 403: 'forbidden', 429: 'rate_limited' } as const satisfies Record<
  number,
  Refusal['kind']
>;

/** Somebody asked for what they may not have. `status` is the HTTP status to answer with. */
export class AuthorizationError extends Error {
  readonly status: keyof typeof CODES;
  readonly code: Refusal['kind'];
  /** What the browser knows it by: in production its words don't reach it. */
  readonly digest: string;

  /** After how many seconds it is worth trying again; null where waiting does not help. */
  readonly retryAfterSeconds: number | null;

  /** `roles`: where it is for want of a role. */
  constructor(
    status: keyof typeof CODES,
    message: string,
    roles: { needed: Role; held: Role } | null = null,
    retryAfterSeconds: number | null = null,
  ) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
    this.name = 'AuthorizationError';
    this.status = status;
    this.code = CODES[status];
    this.digest = refusalDigest(this.code === 'forbidden' ? { kind: this.code, roles } : { kind: this.code });
  }
}

/**
 * Turns away whoever is not signed in. Pages lead to the sign-in, and from there back to `path`. Routes and actions throw 401: an action
 * that led away would take the page with it, and what was typed there.
 */
export function refuseStranger(kind: EntryKind, path: string | null): never {
  switch (kind) {
    case 'page':
      return redirect(signInPath(path));
    case 'action':
      throw new AuthorizationError(401, 'Your session has ended. Sign in, then try again.');
    case 'route':
      throw new AuthorizationError(401, 'Sign in, or send an API token.');
  }
}
