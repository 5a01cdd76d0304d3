import { openApi } from '../api/open-api.ts';
import type { NewMember } from './recruiter.ts';
import type { Asker, Stage } from './stage.ts';

/** Calls the API as a member in a browser, with the session cookie. */
export function asBrowser({ address }: Stage, { cookie }: NewMember): Asker {
  const headers = { cookie };
  return { ...openApi(address, headers), headers };
}

/** Calls the API with the member's token, from a separate address. */
export function asProgram({ address, fromElsewhere }: Stage, { token }: NewMember): Asker {
  const headers = { authorization: `Bearer ${token}`, ...fromElsewhere() };
  return { ...openApi(address, headers), headers };
}
