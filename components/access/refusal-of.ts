import { errorAt } from '#components/ui/form-errors.tsx';
import { SIGN_IN_LABELS } from '#components/ui/with-sign-in-link.tsx';
import { type Refusal, readRefusalDigest } from '#lib/auth/refusal-digest.ts';
import { fail, type Problem, problemsOf, type Result } from '#lib/core/problem.ts';
import { whose, withArticle } from './role-labels.ts';

/** What somebody is told whose session ended before they sent something. */
export const SESSION_ENDED = `Your session has ended, and nothing was stored. ${SIGN_IN_LABELS}, then send it again.`;

/**
 * Why an action gave no answer: the true words where it was refused, known by the digest of what it threw, and `otherwise` for all else,
 * such as a connection that broke. For the `catch` of every call of an action.
 */
export function refusalOf(error: unknown, otherwise: string): Result<never> {
  const refusal = readRefusalDigest(error);
  return refusal === null ? fail('unavailable', otherwise) : fail(refusal.kind, refusalLabel(refusal));
}

/** What to say of an answer of the API that is none: its own `message`, but of a session that ended what to do, since people send no tokens. */
export function apiRefusal(status: number, message: string): string {
  return status === 401 ? SESSION_ENDED : message;
}

function refusalLabel(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'unauthorized':
      return SESSION_ENDED;
    case 'rate_limited':
      return 'Too many requests. Nothing was changed. Wait a minute, then try again.';
    case 'forbidden':
      return refusal.roles === null
        ? 'You no longer have permission to do this.'
        : `Only ${whose(refusal.roles.needed)} can do this. You are now ${withArticle(refusal.roles.held)}.`;
  }
}

/** Returns what a refusal says of a field, for the `error` of its `Field`; null where it says nothing of it. */
export function problemAt(problem: Problem | null, field: string): string | null {
  return errorAt(problemsOf(problem), field);
}
