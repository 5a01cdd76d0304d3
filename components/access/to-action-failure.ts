import { SESSION_ENDED } from '#components/api/call-api.ts';
import { errorAt } from '#components/ui/form-errors.tsx';
import { type Refusal, readRefusalDigest } from '#lib/auth/refusal-digest.ts';
import { missingRole } from '#lib/auth/role.ts';
import { fail, type Problem, problemsOf } from '#lib/core/problem.ts';
import { isOutdatedPage, OUTDATED_PAGE } from './outdated-page.ts';

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

function refusalLabel(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'unauthorized':
      return SESSION_ENDED;
    case 'rate_limited':
      return 'Too many requests. Nothing was changed. Wait a minute, then try again.';
    case 'forbidden':
      return refusal.roles === null
        ? 'You no longer have permission to do this.'
        : missingRole(refusal.roles.needed, refusal.roles.held);
  }
}

/**
 * True if stored data that the page does not show yet may be the reason of a refusal. False if the sender was rejected or there was no
 * response: loading the page again would replace it and its input with the sign-in or an error.
 */
export function mayBeOutdated({ code }: Problem): boolean {
  return !REJECTIONS.includes(code);
}

const REJECTIONS: readonly Problem['code'][] = ['unauthorized', 'forbidden', 'rate_limited', 'unavailable'];

/** Returns the error of one field, for the `error` of its `Field`. Null if it has none. */
export function problemAt(problem: Problem | null, field: string): string | null {
  return errorAt(problemsOf(problem), field);
}
