import type { RateName } from '#lib/environment.ts';
import type { Role } from './role.ts';

export type PageIcon =
  | 'archive'
  | 'book'
  | 'chart'
  | 'checks'
  | 'compare'
  | 'database'
  | 'file-search'
  | 'gauge'
  | 'help'
  | 'house'
  | 'import'
  | 'inbox'
  | 'plus'
  | 'processor'
  | 'route'
  | 'scroll'
  | 'search'
  | 'terminal'
  | 'user'
  | 'users'
  | 'webhook';

/** The groups of the navigation, in their order. */
export const NAVIGATION_GROUPS = ['work', 'build', 'learn', 'settings', 'help'] as const;
export type NavigationGroup = (typeof NAVIGATION_GROUPS)[number];

export type PageMenu = {
  name: string;
  icon: PageIcon;
  /** The group of the navigation that links to it; without, it is only in the command menu. */
  group?: NavigationGroup;
  /** What it is found by in the command menu, where it is something to do. */
  find?: string;
};

export type PageRules = {
  /** The lowest role that may open the page. */
  role: Role;
  /** A rate limit that counts besides the limit of requests. */
  limit?: RateName;
  /** Also callers who have not signed in may open it. */
  isOpen?: true;
  /** How navigation and command menu lead to it. */
  menu?: PageMenu;
};

/** Every page, who may open it, and how menus lead to it, in their order. A test compares it with the pages there are. */
export const PAGES = {
  '/': { role: 'viewer', menu: { name: 'Home', icon: 'house', group: 'work' } },
  '/inbox': { role: 'viewer', menu: { name: 'Inbox', icon: 'inbox', group: 'work' } },
  '/prompts': { role: 'viewer', menu: { name: 'Prompts', icon: 'terminal', group: 'build' } },
  '/prompts/new': { role: 'editor', menu: { name: 'New prompt', icon: 'plus', find: 'new prompt write' } },
  '/prompts/{name}': { role: 'viewer' },
  '/prompts/{name}/diff': { role: 'viewer' },
  '/datasets': { role: 'viewer', menu: { name: 'Datasets', icon: 'database', group: 'build' } },
  '/datasets/new': { role: 'editor', menu: { name: 'Import cases', icon: 'import', find: 'import cases dataset' } },
  '/datasets/{id}': { role: 'viewer' },
  '/experiments': { role: 'viewer', menu: { name: 'Experiments', icon: 'chart', group: 'build' } },
  '/experiments/new': { role: 'editor', menu: { name: 'New experiment', icon: 'plus', find: 'new experiment' } },
  '/experiments/{id}': { role: 'viewer' },
  '/experiments/{id}/blind': { role: 'reviewer' },
  '/experiments/{id}/edit': { role: 'editor' },
  '/runs': { role: 'viewer', menu: { name: 'Runs', icon: 'route', group: 'build' } },
  '/runs/import': { role: 'editor', menu: { name: 'Import runs', icon: 'import', find: 'import runs' } },
  '/runs/{id}': { role: 'viewer' },
  '/runs/{id}/calls': { role: 'viewer' },
  '/search': { role: 'viewer', limit: 'read', menu: { name: 'Search in outputs', icon: 'file-search' } },
  '/lessons': { role: 'viewer', menu: { name: 'Lessons', icon: 'book', group: 'learn' } },
  '/lessons/review': { role: 'viewer', menu: { name: 'Review lessons', icon: 'checks' } },
  '/lessons/{id}': { role: 'viewer' },
  '/lessons/new': { role: 'editor', menu: { name: 'Add a lesson', icon: 'plus', find: 'add lesson' } },
  '/lessons/import': { role: 'editor', menu: { name: 'Import lessons', icon: 'import', find: 'import lessons' } },
  '/lessons/recall': {
    role: 'reviewer',
    menu: { name: 'See which lessons a run would be given', icon: 'search', find: 'try recall lessons' },
  },
  '/compare': { role: 'viewer', limit: 'read', menu: { name: 'Compare', icon: 'compare', group: 'learn' } },
  '/insights': { role: 'viewer', limit: 'read', menu: { name: 'Insights', icon: 'gauge', group: 'learn' } },
  '/models': { role: 'viewer', menu: { name: 'Models', icon: 'processor', group: 'settings' } },
  '/settings/team': { role: 'owner', menu: { name: 'Team', icon: 'users', group: 'settings' } },
  '/settings': { role: 'owner', menu: { name: 'Webhooks and tools', icon: 'webhook', group: 'settings' } },
  '/settings/audit': { role: 'owner', menu: { name: 'Audit log', icon: 'scroll', group: 'settings' } },
  '/settings/backup': { role: 'owner', menu: { name: 'Backup', icon: 'archive', group: 'settings' } },
  '/docs': {
    role: 'viewer',
    menu: { name: 'Docs', icon: 'help', group: 'help', find: 'docs documentation help guide' },
  },
  '/docs/{section}/{page}': { role: 'viewer' },
  '/account': { role: 'viewer', menu: { name: 'Your account', icon: 'user' } },
  '/join/{token}': { role: 'viewer', isOpen: true },
  '/no-access': { role: 'viewer' },
  '/sign-in': { role: 'viewer', isOpen: true },
} as const satisfies Record<`/${string}`, PageRules>;
