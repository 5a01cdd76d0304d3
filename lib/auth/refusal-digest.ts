import { ROLES, type Role } from './role.ts';

/** Why somebody was refused. `roles`: what was needed, and what they hold; null where it was not for want of a role. */
export type Refusal =
  | { kind: 'unauthorized' }
  | { kind: 'forbidden'; roles: { needed: Role; held: Role } | null }
  | { kind: 'rate_limited' };

const WORDS = {
  unauthorized: 'HONE_UNAUTHORIZED',
  forbidden: 'HONE_FORBIDDEN',
  rate_limited: 'HONE_RATE_LIMITED',
} as const satisfies Record<Refusal['kind'], string>;

/** What a browser knows a refusal by, as `HONE_FORBIDDEN;editor;viewer`: of a thrown error nothing else reaches it in production. */
export function refusalDigest(refusal: Refusal): string {
  const roles = refusal.kind === 'forbidden' ? refusal.roles : null;
  return roles === null ? WORDS[refusal.kind] : [WORDS.forbidden, roles.needed, roles.held].join(';');
}

/** Reads the `digest` of what was thrown; null where it is no refusal. */
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
