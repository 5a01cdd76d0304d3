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
  House,
  Import,
  Inbox,
  Info,
  ListChecks,
  type LucideIcon,
  Plus,
  ScrollText,
  Search,
  Settings,
  SquareTerminal,
  Users,
} from 'lucide-react';
import { PAGES, type PageIcon, type PageMenu, type PageRules } from '#lib/auth/pages.ts';
import { type Role, roleAllows } from '#lib/auth/role.ts';

const GLYPHS: Record<PageIcon, LucideIcon> = {
  archive: Archive,
  book: BookOpen,
  chart: ChartSpline,
  checks: ListChecks,
  database: Database,
  'file-search': FileSearch,
  gauge: Gauge,
  help: CircleHelp,
  house: House,
  import: Import,
  inbox: Inbox,
  info: Info,
  plus: Plus,
  processor: Cpu,
  scroll: ScrollText,
  search: Search,
  settings: Settings,
  terminal: SquareTerminal,
  user: CircleUser,
  users: Users,
};

type MenuPage = PageMenu & { path: string; role: Role; Glyph: LucideIcon };

const MENU_PAGES = Object.entries<PageRules>(PAGES).flatMap(([path, { role, menu }]): MenuPage[] =>
  menu === undefined ? [] : [{ path, role, ...menu, Glyph: GLYPHS[menu.icon] }],
);

/** The pages that menus lead to, of those that somebody may open. */
export function menuPagesOf(role: Role): MenuPage[] {
  return MENU_PAGES.filter((page) => roleAllows(role, page.role));
}
