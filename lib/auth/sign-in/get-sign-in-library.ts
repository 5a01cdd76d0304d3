import { getAppDatabase } from '#lib/context/app-database.ts';
import { teamSettings } from '../team-mode.ts';
import { openSignInLibrary, type SignInLibrary } from './sign-in-library.ts';

let library: SignInLibrary | undefined;

/** The sign-in of this process, made at first use. Throws in local mode, which has none. */
export function getSignInLibrary(): SignInLibrary {
  const team = teamSettings();
  if (team === null) throw new Error('In local mode nobody signs in.');
  library ??= openSignInLibrary(getAppDatabase(), team);
  return library;
}
