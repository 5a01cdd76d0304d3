import { ROUTES } from '#lib/api/routes.ts';
import type { TokenScope } from './actor.ts';
import { listEntries } from './list-entries.test-support.mjs';
import type { Role } from './role.ts';

/** A page, route or action in the matrix of roles. `path` is null for actions, which can be called from any page. */
export type ListedEntry = {
  name: string;
  kind: 'page' | 'route' | 'action';
  file: string;
  /** For a route, its HTTP method. */
  exported: string;
  path: string | null;
  role: Role;
  writes: boolean;
  /** Set if unauthenticated callers are allowed. */
  open?: true;
  /** Audit events it may record, or the reason for none. Null if it declares nothing. */
  audit: readonly string[] | { none: string } | null;
  /** Scopes required of an API token. Null if no token is accepted. */
  scopes: readonly TokenScope[] | null;
};

/** All entry points of the app: pages and actions from their source, routes from their definitions. */
export const ENTRIES: readonly ListedEntry[] = [
  ...listEntries().entries.map((entry) => ({ ...entry, scopes: null })),
  ...ROUTES.map(({ name, method, path, role, scopes, audit }) => ({
    name,
    kind: 'route' as const,
    file: 'app/api/[[...path]]/route.ts',
    exported: method,
    path,
    role,
    writes: method !== 'GET',
    audit,
    scopes,
  })),
];
