import type { Role } from '#lib/auth/role.ts';
import type { StagedId } from './staged-ids.ts';

/** What is there to be reached, by the name of the part of the address it stands behind. */
export type Ids = Readonly<Record<StagedId, string>>;

/** How one entry is asked; an empty row where its address says it all. */
export type Row = {
  /** What stands after the "?" of its address. */
  query?: (ids: Ids) => string;
  /** The JSON that a route is sent by somebody it must refuse: what it would take. Whoever is let in sends `{}`, so that nothing is made. */
  body?: (ids: Ids) => unknown;
  /** What an action is called with. */
  args?: (ids: Ids) => unknown[];
  /** The status that it answers whoever is let in to read; 200 without. */
  answers?: number | 'as it likes';
  /** All that somebody is told who has not signed in, where that is anything. */
  toStrangers?: string;
  /** It is for programs: nobody gets in without an API token. */
  tokenNeeded?: true;
  /** Why whoever is let in does not go on to call it here. */
  notCalled?: string;
};

/** From whom on an entry is open; `nobody`: to all the world. */
export type From = Role | 'nobody';
