import { redirect } from 'next/navigation';
import { AuthorizationError } from './authorization-error.ts';
import type { EntryKind } from './authorize.ts';
import { signInPath } from './sign-in/sign-in-path.ts';

/**
 * Turns away whoever is not signed in. Pages lead to the sign-in, and from there back to `path`. Routes and actions throw 401: an action
 * that led away would take the page with it, and what was typed there.
 */
export function refuseStranger(kind: EntryKind, path: string | null): never {
  switch (kind) {
    case 'page':
      return redirect(signInPath(path));
    case 'action':
      throw new AuthorizationError(401, 'Nobody is signed in any more. Sign in, then send it again.');
    case 'route':
      throw new AuthorizationError(401, 'Sign in, or send an API token.');
  }
}
