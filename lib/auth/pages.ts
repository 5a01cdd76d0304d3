import type { DocPath } from '#lib/docs/navigation.ts';
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
  | 'plug'
  | 'plus'
  | 'processor'
  | 'route'
  | 'scroll'
  | 'search'
  | 'terminal'
  | 'user'
  | 'users'
  | 'webhook';

/** Groups of the navigation, in display order. */
export const NAVIGATION_GROUPS = ['work', 'build', 'learn', 'settings', 'help'] as const;
export type NavigationGroup = (typeof NAVIGATION_GROUPS)[number];

export type PageMenu = {
  name: string;
  icon: PageIcon;
  /** Navigation group with a link to the page. Without it, the page is only in the command menu. */
  group?: NavigationGroup;
  /** Name of the task in the command menu, if the page is for a task. */
  find?: string;
};

/** Section of the docs about a page. `topic` is a short name of its subject. */
export type PageHelp = { topic: string; at: `${DocPath}#${string}` };

export type PageRules = {
  /** The lowest role that may open the page. */
  role: Role;
  /** Target of the help icon. Null if there is none: in the docs and on pages before the sign-in. */
  help: PageHelp | null;
  /** Rate limit in addition to the limit of requests. */
  limit?: RateName;
  /** Set if unauthenticated callers may open it. */
  isOpen?: true;
  /** Entry in the navigation and the command menu. */
  menu?: PageMenu;
};

/** All pages with their access rules and menu entries, in menu order. A test compares them with the existing pages. */
export const PAGES = {
  '/': {
    role: 'viewer',
    help: { topic: 'The first page', at: 'get-started/first-run#the-home-page' },
    menu: { name: 'Home', icon: 'house', group: 'work' },
  },
  '/inbox': {
    role: 'viewer',
    help: { topic: 'Answer what waits', at: 'how-to/pause-for-review#answer-from-the-inbox' },
    menu: { name: 'Inbox', icon: 'inbox', group: 'work' },
  },
  '/prompts': {
    role: 'viewer',
    help: { topic: 'The prompt library', at: 'how-to/manage-prompts#the-library' },
    menu: { name: 'Prompts', icon: 'terminal', group: 'build' },
  },
  '/prompts/new': {
    role: 'editor',
    help: { topic: 'Write a prompt', at: 'how-to/manage-prompts#write-a-prompt' },
    menu: { name: 'New prompt', icon: 'plus', find: 'new prompt write' },
  },
  '/prompts/{name}': {
    role: 'viewer',
    help: { topic: 'Try a prompt on cases', at: 'how-to/manage-prompts#try-it-on-cases' },
  },
  '/prompts/{name}/diff': {
    role: 'viewer',
    help: { topic: 'Compare prompt versions', at: 'how-to/manage-prompts#versions-and-labels' },
  },
  '/datasets': {
    role: 'viewer',
    help: { topic: 'Versions of cases', at: 'how-to/import-cases#versions' },
    menu: { name: 'Datasets', icon: 'database', group: 'build' },
  },
  '/datasets/new': {
    role: 'editor',
    help: { topic: 'Formats of cases', at: 'how-to/import-cases#formats' },
    menu: { name: 'Import cases', icon: 'import', find: 'import cases dataset' },
  },
  '/datasets/{id}': {
    role: 'viewer',
    help: { topic: 'Training and held-out cases', at: 'how-to/import-cases#splits' },
  },
  '/targets': {
    role: 'viewer',
    help: { topic: 'Connect your app', at: 'how-to/connect-your-app#choose-a-way' },
    menu: { name: 'Targets', icon: 'plug', group: 'build', find: 'targets connect your app' },
  },
  '/experiments': {
    role: 'viewer',
    help: { topic: 'Set up an experiment', at: 'how-to/set-up-an-experiment#create' },
    menu: { name: 'Experiments', icon: 'chart', group: 'build' },
  },
  '/experiments/new': {
    role: 'editor',
    help: { topic: 'The form of an experiment', at: 'how-to/set-up-an-experiment#create' },
    menu: { name: 'New experiment', icon: 'plus', find: 'new experiment' },
  },
  '/experiments/{id}': { role: 'viewer', help: { topic: 'Run an experiment', at: 'how-to/set-up-an-experiment#run' } },
  '/experiments/{id}/blind': {
    role: 'reviewer',
    help: { topic: 'Blind pairs', at: 'how-to/review-blind#judge-the-pairs' },
  },
  '/experiments/{id}/edit': {
    role: 'editor',
    help: { topic: 'Versions of settings', at: 'how-to/set-up-an-experiment#change' },
  },
  '/runs': {
    role: 'viewer',
    help: { topic: 'Find a run', at: 'how-to/find-things#find-a-run' },
    menu: { name: 'Runs', icon: 'route', group: 'build' },
  },
  '/runs/import': {
    role: 'editor',
    help: { topic: 'Attempts of other systems', at: 'how-to/import-runs#the-format' },
    menu: { name: 'Import runs', icon: 'import', find: 'import runs' },
  },
  '/runs/{id}': { role: 'viewer', help: { topic: 'Reading a run', at: 'get-started/reading-a-run#scores' } },
  '/runs/{id}/calls': { role: 'viewer', help: { topic: 'Model calls', at: 'get-started/reading-a-run#model-calls' } },
  '/search': {
    role: 'viewer',
    help: { topic: 'Search in outputs', at: 'how-to/find-things#search-in-outputs' },
    limit: 'read',
    menu: { name: 'Search in outputs', icon: 'file-search' },
  },
  '/lessons': {
    role: 'viewer',
    help: { topic: 'How lessons reach runs', at: 'concepts/lessons#from-a-run-to-the-library' },
    menu: { name: 'Lessons', icon: 'book', group: 'learn' },
  },
  '/lessons/review': {
    role: 'viewer',
    help: { topic: 'Decide on lessons', at: 'how-to/curate-lessons#review' },
    menu: { name: 'Review lessons', icon: 'checks' },
  },
  '/lessons/{id}': { role: 'viewer', help: { topic: 'Measure a lesson', at: 'how-to/curate-lessons#measure' } },
  '/lessons/new': {
    role: 'editor',
    help: { topic: 'Lessons by hand', at: 'how-to/curate-lessons#add-a-lesson-by-hand' },
    menu: { name: 'Add a lesson', icon: 'plus', find: 'add lesson' },
  },
  '/lessons/import': {
    role: 'editor',
    help: { topic: 'Share a library', at: 'how-to/curate-lessons#share' },
    menu: { name: 'Import lessons', icon: 'import', find: 'import lessons' },
  },
  '/lessons/recall': {
    role: 'reviewer',
    help: { topic: 'Which lessons a run gets', at: 'how-to/curate-lessons#see-what-would-be-recalled' },
    menu: { name: 'See which lessons a run would be given', icon: 'search', find: 'try recall lessons' },
  },
  '/compare': {
    role: 'viewer',
    help: { topic: 'How experiments are compared', at: 'concepts/statistics#comparing-experiments' },
    limit: 'read',
    menu: { name: 'Compare', icon: 'compare', group: 'learn' },
  },
  '/insights': {
    role: 'viewer',
    help: { topic: 'What insights measure', at: 'concepts/statistics#insights' },
    limit: 'read',
    menu: { name: 'Insights', icon: 'gauge', group: 'learn' },
  },
  '/models': {
    role: 'viewer',
    help: { topic: 'Connect a provider', at: 'how-to/connect-a-model#add-a-provider' },
    menu: { name: 'Models', icon: 'processor', group: 'settings' },
  },
  '/settings/team': {
    role: 'owner',
    help: { topic: 'Invite people', at: 'how-to/run-a-team#invite-people' },
    menu: { name: 'Team', icon: 'users', group: 'settings' },
  },
  '/settings': {
    role: 'owner',
    help: { topic: 'Webhooks, tools and tokens', at: 'operations/installation-settings#webhooks-and-tools' },
    menu: { name: 'Webhooks and tools', icon: 'webhook', group: 'settings' },
  },
  '/settings/audit': {
    role: 'owner',
    help: { topic: 'What is recorded', at: 'operations/security#audit-log' },
    menu: { name: 'Audit log', icon: 'scroll', group: 'settings' },
  },
  '/settings/backup': {
    role: 'owner',
    help: { topic: 'Back up and restore', at: 'operations/backup#scheduled-backups' },
    menu: { name: 'Backup', icon: 'archive', group: 'settings' },
  },
  '/docs': {
    role: 'viewer',
    help: null,
    menu: { name: 'Docs', icon: 'help', group: 'help', find: 'docs documentation help guide' },
  },
  '/docs/{section}/{page}': { role: 'viewer', help: null },
  '/account': {
    role: 'viewer',
    help: { topic: 'Passwords and sessions', at: 'how-to/run-a-team#passwords-and-sessions' },
    menu: { name: 'Your account', icon: 'user' },
  },
  '/join/{token}': { role: 'viewer', help: null, isOpen: true },
  '/no-access': { role: 'viewer', help: { topic: 'Roles', at: 'how-to/run-a-team#roles' } },
  '/sign-in': { role: 'viewer', help: null, isOpen: true },
} as const satisfies Record<`/${string}`, PageRules>;
