import { ROLES, type Role } from './role.ts';

/** Reason of a refusal. `roles`: the required and the actual role, null if no role was missing. */
export type Refusal =
  | { kind: 'unauthorized' }
  | { kind: 'forbidden'; roles: { needed: Role; held: Role } | null }
  | { kind: 'rate_limited' };

const WORDS = {
  unauthorized: 'HONE_UNAUTHORIZED',
  forbidden: 'HONE_FORBIDDEN',
  rate_limited: 'HONE_RATE_LIMITED',
} as const satisfies Record<Refusal['kind'], string>;

/**
 * Returns the digest that identifies a refusal in the browser, such as `HONE_FORBIDDEN;editor;viewer`. In production, nothing else of a
 * thrown error reaches the browser.
 */
export function refusalDigest(refusal: Refusal): string {
  const roles = refusal.kind === 'forbidden' ? refusal.roles : null;
  return roles === null ? WORDS[refusal.kind] : [WORDS.forbidden, roles.needed, roles.held].join(';');
}

/** Parses the `digest` of a thrown error. Returns null if it is not a refusal. */
export function readRefusalDigest(thrown: unknown): Refusal | null {
  if (typeof thrown !== 'object' || thrown === null || !('digest' in thrown)) return null;
  const [word, ...rest] = String(thrown.digest).split(';');
  switch (word) {
    case WORDS.unauthorized:
      return { kind: 'unauthorized' };
    case WORDS.rate_limited:
      return { kind: 'rate_limited' };
    case WORDS.forbidden: {
      const [needed, held] = rest.map((name) => ROLES.find((role) => role === name));
      return { kind: 'forbidden', roles: needed && held ? { needed, held } : null };
    }
    default:
      return null;
  }
}
