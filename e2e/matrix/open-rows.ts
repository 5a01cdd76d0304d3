import type { Row } from './row.ts';

/** Entries open to unauthenticated callers: the ways to sign in. */
export const OPEN_ROWS: Record<string, Row> = {
  'page /join/{token}': {},
  'page /sign-in': { answers: 'any' },
  'action joinByLinkAction': {
    args: ({ join }) => [join, null, form({ name: 'Nobody', email: 'nobody@team.example' })],
  },
  'action signInAction': {
    args: () => [null, form({ email: 'nobody@team.example', password: 'never a password', to: '/' })],
  },
};

function form(values: Record<string, string>): FormData {
  const filled = new FormData();
  for (const [name, value] of Object.entries(values)) filled.append(name, value);
  return filled;
}
