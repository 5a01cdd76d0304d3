import { redirect } from 'next/navigation';
import { signInPath } from '#lib/auth/sign-in/sign-in-path.ts';
import type { EntryKind } from './actor.ts';
import { type Refusal, refusalDigest } from './refusal-digest.ts';
import type { Role } from './role.ts';

const CODES = { 401: 'unauthorized', 403: 'forbidden', 429: 'rate_limited' } as const satisfies Record<
  number,
  Refusal['kind']
>;

/** Error for a request without the required permission. `status` is the HTTP status of the response. */
export class AuthorizationError extends Error {
  readonly status: keyof typeof CODES;
  readonly code: Refusal['kind'];
  /** Identifies the refusal in the browser, because production builds hide the error message. */
  readonly digest: string;

  /** Seconds until a retry is useful. Null if waiting does not help. */
  readonly retryAfterSeconds: number | null;

  /** `roles`: set if a role is missing. */
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
 * Rejects an unauthenticated caller. Pages redirect to the sign-in and then back to `path`. Routes and actions throw 401, because a
 * redirecting action would discard the page and its input.
 */
export function rejectUnauthenticated(kind: EntryKind, path: string | null): never {
  switch (kind) {
    case 'page':
      return redirect(signInPath(path));
    case 'action':
      throw new AuthorizationError(401, 'Your session has ended. Sign in, then try again.');
    case 'route':
      throw new AuthorizationError(401, 'Sign in, or send an API token.');
  }
}
