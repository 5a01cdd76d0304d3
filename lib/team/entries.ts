import type { Role } from './role.ts';

/** One way into the app. `path` is null for actions, which answer on whatever page uses them. */
export type Entry = {
  name: string;
  kind: 'page' | 'route' | 'action';
  file: string;
  exported: string;
  path: string | null;
  role: Role;
  writes: boolean;
};

/** Every way into the app. Written by `node lib/team/list-entries.mjs`; a test compares it with the code. */
export const ENTRIES: readonly Entry[] = [];
