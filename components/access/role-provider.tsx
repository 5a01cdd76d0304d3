'use client';

import { createContext, type ReactNode, useContext } from 'react';
import { type Role, roleAllows } from '#lib/auth/role.ts';
import { roleRequiredLabel } from './role-labels.ts';

/** The current user. `id`: the member's id, or `local` in local mode, which has no accounts. */
type Person = { id: string; name: string; role: Role; isLocal: boolean };
type SignOut = () => Promise<void>;

const LOCAL: Person = { id: 'local', name: 'you', role: 'owner', isLocal: true };
const STRANGER: Person = { id: 'nobody', name: 'nobody', role: 'viewer', isLocal: false };
const PersonContext = createContext<{ person: Person; signOut: SignOut | null }>({ person: LOCAL, signOut: null });

/** `person`: null if nobody is signed in, which is possible only on public pages. */
type RoleProviderProps = { person: Person | null; signOut: SignOut | null; children: ReactNode };

/**
 * Provides the current user to all components. Set by the layout. Every page, action, route and stream still checks access on the server.
 */
export function RoleProvider({ person, signOut, children }: RoleProviderProps) {
  return <PersonContext value={{ person: person ?? STRANGER, signOut }}>{children}</PersonContext>;
}

/** Returns the current user. */
export function usePerson(): Person {
  return useContext(PersonContext).person;
}

/** Returns the action that ends the current session. Null in local mode, which has no sessions. */
export function useSignOut(): SignOut | null {
  return useContext(PersonContext).signOut;
}

/** Returns if the current user has at least `role`. If not, `why` names the required role, for the `title` of disabled elements. */
export function useRoleAccess(role: Role): { may: boolean; why: string | undefined } {
  const person = usePerson();
  const may = roleAllows(person.role, role);
  return { may, why: may ? undefined : roleRequiredLabel(role, person.role) };
}
