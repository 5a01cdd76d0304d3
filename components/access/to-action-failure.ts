import { errorAt } from '#components/ui/form-errors.tsx';
import { SIGN_IN_LABELS } from '#components/ui/with-sign-in-link.tsx';
import { type Refusal, readRefusalDigest } from '#lib/auth/refusal-digest.ts';
import { fail, type Problem, problemsOf } from '#lib/core/problem.ts';
import { isOutdatedPage, OUTDATED_PAGE } from './outdated-page.ts';
import { ROLE_GROUPS, withArticle } from './role-labels.ts';

/** Message shown if the session ended before a request was sent. */
export const SESSION_ENDED = `Your session has ended, and nothing was stored. ${SIGN_IN_LABELS}, then send it again.`;

/**
 * Returns the reason a server action failed. A refusal is recognized by the digest of its error. Any other error, such as a lost
 * connection, returns `otherwise`. For the `catch` of every action call.
 */
export function toActionFailure(error: unknown, otherwise: string) {
  if (isOutdatedPage(error))
    return fail(
      'conflict',
      `${OUTDATED_PAGE} Nothing was stored. Copy your input, reload the page, then send it again.`,
    );
  const refusal = readRefusalDigest(error);
  return refusal === null ? fail('unavailable', otherwise) : fail(refusal.kind, refusalLabel(refusal));
}

/** Returns the text to show for an API error: its `message`, or for status 401 that the session ended, because browsers send no tokens. */
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
        : `Only ${ROLE_GROUPS[refusal.roles.needed]} can do this. You are now ${withArticle(refusal.roles.held)}.`;
  }
}

/** Returns the error of one field, for the `error` of its `Field`. Null if it has none. */
export function problemAt(problem: Problem | null, field: string): string | null {
  return errorAt(problemsOf(problem), field);
}
