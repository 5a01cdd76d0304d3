import { ROUTES } from '#lib/api/routes.ts';
import type { TokenScope } from './actor.ts';
import { listEntries } from './list-entries.test-support.mjs';
import type { Role } from './role.ts';

/** A page, route or action: what stands in the matrix of roles. `path` is null for actions, which answer on whatever page uses them. */
export type ListedEntry = {
  name: string;
  kind: 'page' | 'route' | 'action';
  file: string;
  /** Of a route, its method. */
  exported: string;
  path: string | null;
  role: Role;
  writes: boolean;
  /** Also who has not signed in may come in. */
  open?: true;
  /** What it records in the audit log, or why nothing; null for what declares nothing. */
  audit: readonly string[] | { none: string } | null;
  /** Scopes that an API token needs; null where none may come in. */
  scopes: readonly TokenScope[] | null;
};

/** Every way into the app: pages and actions as their source declares them, routes by their definitions. */
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
