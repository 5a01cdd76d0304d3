import type { Role } from '#lib/auth/role.ts';
import type { StagedId } from './staged-ids.ts';

/** Ids of the staged data, by the path segment before them. */
export type Ids = Readonly<Record<StagedId, string>>;

/** Request to one entry. An empty row means that the path is enough. */
export type Row = {
  /** Query string without the "?". */
  query?: (ids: Ids) => string;
  /** Valid JSON body for callers that must be refused. Allowed callers send `{}`, so that nothing is created. */
  body?: (ids: Ids) => unknown;
  /** Arguments of the action. */
  args?: (ids: Ids) => unknown[];
  /** Status for callers with read access. Defaults to 200. */
  answers?: number | 'any';
  /** Complete response to unauthenticated callers, if they get one. */
  unauthenticatedBody?: string;
  /** True if an API token is required. */
  tokenNeeded?: true;
  /** Reason that this test does not call the entry as an allowed caller. */
  notCalled?: string;
};

/** Lowest role with access to an entry. `public` means no authentication. */
export type From = Role | 'public';
