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

/** The pages that menus lead to, of those that somebody may open. */
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

/** The groups of the navigation with the pages that somebody may open; groups without any are left out. */
export function navigationOf(role: Role): NavigationPart[] {
  const pages = menuPagesOf(role);
  return NAVIGATION_GROUPS.map((group) => ({
    group,
    name: GROUP_NAMES[group],
    pages: pages.filter((page) => page.group === group),
  })).filter((part) => part.pages.length > 0);
}

/** The page of the navigation that `path` belongs to: the one with the longest path that it begins with. */
export function currentPage(pages: readonly { path: string }[], path: string): string | null {
  const around = pages.filter((page) => page.path === path || (page.path !== '/' && path.startsWith(`${page.path}/`)));
  return around.toSorted((one, other) => other.path.length - one.path.length)[0]?.path ?? null;
}
