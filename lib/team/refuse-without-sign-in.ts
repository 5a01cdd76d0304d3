import { fail, type Result } from '#lib/core/problem.ts';

/** In local mode there are no members: what is about them can't be done. */
export function refuseWithoutSignIn(): Result<never> {
  return fail(
    'conflict',
    'Hone runs in local mode: nobody signs in, and there are no members. Start it with HONE_MODE=team for a team.',
  );
}
