'use client';

import { createContext, type ReactNode, useContext } from 'react';
import { type Role, roleAllows } from '#lib/auth/role.ts';
import { notYours } from './role-labels.ts';

/** Who looks at the pages: `id` is the member's, or `local` for the one person of local mode, who has no account. */
type Person = { id: string; name: string; role: Role; isLocal: boolean };
type SignOut = () => Promise<void>;

const LOCAL: Person = { id: 'local', name: 'you', role: 'owner', isLocal: true };
const STRANGER: Person = { id: 'nobody', name: 'nobody', role: 'viewer', isLocal: false };
const PersonContext = createContext<{ person: Person; signOut: SignOut | null }>({ person: LOCAL, signOut: null });

/** `person`: null where nobody is signed in, on the few pages that are open to strangers. */
type RoleProviderProps = { person: Person | null; signOut: SignOut | null; children: ReactNode };

/** Tells all parts of a page who looks at it. The layout gives it; every page, action, route and stream checks for itself. */
export function RoleProvider({ person, signOut, children }: RoleProviderProps) {
  return <PersonContext value={{ person: person ?? STRANGER, signOut }}>{children}</PersonContext>;
}

/** Who looks at this page. */
export function usePerson(): Person {
  return useContext(PersonContext).person;
}

/** Ends the session of who looks; null in local mode, which has none. */
export function useSignOut(): SignOut | null {
  return useContext(PersonContext).signOut;
}

/**
 * Whether who looks may do what asks for `role`; where not, `why` says whose it is, for the `title` of what is disabled.
 */
export function useMay(role: Role): { may: boolean; why: string | undefined } {
  const person = usePerson();
  const may = roleAllows(person.role, role);
  return { may, why: may ? undefined : notYours(role, person.role) };
}
