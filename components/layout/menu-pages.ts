import {
  Archive,
  BookOpen,
  ChartSpline,
  CircleHelp,
  CircleUser,
  Cpu,
  Database,
  FileSearch,
  Gauge,
  GitCompareArrows,
  House,
  Import,
  Inbox,
  ListChecks,
  type LucideIcon,
  Plug,
  Plus,
  Route,
  ScrollText,
  Search,
  SquareTerminal,
  Users,
  Webhook,
} from 'lucide-react';
import {
  NAVIGATION_GROUPS,
  type NavigationGroup,
  PAGES,
  type PageIcon,
  type PageMenu,
  type PageRules,
} from '#lib/auth/pages.ts';
import { type Role, roleAllows } from '#lib/auth/role.ts';

const GLYPHS: Record<PageIcon, LucideIcon> = {
  archive: Archive,
  book: BookOpen,
  chart: ChartSpline,
  checks: ListChecks,
  compare: GitCompareArrows,
  database: Database,
  'file-search': FileSearch,
  gauge: Gauge,
  help: CircleHelp,
  house: House,
  import: Import,
  inbox: Inbox,
  plug: Plug,
  plus: Plus,
  processor: Cpu,
  route: Route,
  scroll: ScrollText,
  search: Search,
  terminal: SquareTerminal,
  user: CircleUser,
  users: Users,
  webhook: Webhook,
};

type MenuPage = PageMenu & { path: string; role: Role; Glyph: LucideIcon };

const MENU_PAGES = Object.entries<PageRules>(PAGES).flatMap(([path, { role, menu }]): MenuPage[] =>
  menu === undefined ? [] : [{ path, role, ...menu, Glyph: GLYPHS[menu.icon] }],
);

/** Returns the pages in the menus that a role may open. */
export function menuPagesOf(role: Role): MenuPage[] {
  return MENU_PAGES.filter((page) => roleAllows(role, page.role));
}

const GROUP_NAMES: Record<NavigationGroup, string> = {
  work: 'Work',
  build: 'Build',
  learn: 'Learn',
  settings: 'Settings',
  help: 'Help',
};

type NavigationPart = { group: NavigationGroup; name: string; pages: MenuPage[] };

/** Returns the navigation groups with the pages a role may open. Empty groups are omitted. */
export function navigationOf(role: Role): NavigationPart[] {
  const pages = menuPagesOf(role);
  return NAVIGATION_GROUPS.map((group) => ({
    group,
    name: GROUP_NAMES[group],
    pages: pages.filter((page) => page.group === group),
  })).filter((part) => part.pages.length > 0);
}

/** Returns the navigation page with the longest path that is a prefix of `path`. */
export function currentPage(pages: readonly { path: string }[], path: string): string | null {
  const around = pages.filter((page) => page.path === path || (page.path !== '/' && path.startsWith(`${page.path}/`)));
  return around.toSorted((one, other) => other.path.length - one.path.length)[0]?.path ?? null;
}
