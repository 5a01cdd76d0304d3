import { openApi } from '../api/open-api.ts';
import type { NewMember } from './member-factory.ts';
import type { Client, Stage } from './stage.ts';

/** Calls the API as a member in a browser, with the session cookie. */
export function asBrowser({ address }: Stage, { cookie }: NewMember): Client {
  const headers = { cookie };
  return { ...openApi(address, headers), headers };
}

/** Calls the API with the member's token, from a separate address. */
export function asTokenClient({ address, fromNewAddress }: Stage, { token }: NewMember): Client {
  const headers = { authorization: `Bearer ${token}`, ...fromNewAddress() };
  return { ...openApi(address, headers), headers };
}
