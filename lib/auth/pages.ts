import type { RateName } from '#lib/environment.ts';
import type { Role } from './role.ts';

export type PageRules = {
  /** The lowest role that may open the page. */
  role: Role;
  /** A rate limit that counts besides the limit of requests. */
  limit?: RateName;
  /** Also callers who have not signed in may open it. */
  isOpen?: true;
};

/** Every page and who may open it. A test compares it with the pages there are. */
export const PAGES = {
  '/': { role: 'viewer' },
  '/account': { role: 'viewer' },
  '/compare': { role: 'viewer', limit: 'read' },
  '/datasets': { role: 'viewer' },
  '/datasets/new': { role: 'editor' },
  '/datasets/{id}': { role: 'viewer' },
  '/experiments': { role: 'viewer' },
  '/experiments/new': { role: 'editor' },
  '/experiments/{id}': { role: 'viewer' },
  '/experiments/{id}/blind': { role: 'reviewer' },
  '/experiments/{id}/edit': { role: 'editor' },
  '/inbox': { role: 'viewer' },
  '/insights': { role: 'viewer', limit: 'read' },
  '/join/{token}': { role: 'viewer', isOpen: true },
  '/lessons': { role: 'viewer' },
  '/lessons/import': { role: 'editor' },
  '/lessons/new': { role: 'editor' },
  '/lessons/recall': { role: 'reviewer' },
  '/lessons/review': { role: 'viewer' },
  '/lessons/{id}': { role: 'viewer' },
  '/models': { role: 'viewer' },
  '/no-access': { role: 'viewer' },
  '/prompts': { role: 'viewer' },
  '/prompts/new': { role: 'editor' },
  '/prompts/{name}': { role: 'viewer' },
  '/prompts/{name}/diff': { role: 'viewer' },
  '/runs': { role: 'viewer' },
  '/runs/import': { role: 'editor' },
  '/runs/{id}': { role: 'viewer' },
  '/runs/{id}/calls': { role: 'viewer' },
  '/search': { role: 'viewer', limit: 'read' },
  '/settings': { role: 'owner' },
  '/settings/audit': { role: 'owner' },
  '/settings/backup': { role: 'owner' },
  '/settings/team': { role: 'owner' },
  '/sign-in': { role: 'viewer', isOpen: true },
} as const satisfies Record<`/${string}`, PageRules>;
