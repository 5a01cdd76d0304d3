import {
  Archive,
  BookOpen,
  ChartSpline,
  CircleUser,
  Cpu,
  Database,
  FileSearch,
  Gauge,
  House,
  Import,
  Inbox,
  ListChecks,
  Plus,
  ScrollText,
  Search,
  Settings,
  SquareTerminal,
  Users,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { Role } from '#lib/auth/role.ts';

type MenuPlace = { path: string; name: string; glyph: ReactNode; needs: Role };

/** The pages of the command menu, and who may open them. */
export const PLACES: MenuPlace[] = [
  { path: '/', name: 'Home', glyph: <House className="size-3.25" aria-hidden />, needs: 'viewer' },
  { path: '/inbox', name: 'Inbox', glyph: <Inbox className="size-3.25" aria-hidden />, needs: 'viewer' },
  {
    path: '/experiments',
    name: 'Experiments',
    glyph: <ChartSpline className="size-3.25" aria-hidden />,
    needs: 'viewer',
  },
  { path: '/lessons', name: 'Lessons', glyph: <BookOpen className="size-3.25" aria-hidden />, needs: 'viewer' },
  {
    path: '/lessons/review',
    name: 'Review lessons',
    glyph: <ListChecks className="size-3.25" aria-hidden />,
    needs: 'viewer',
  },
  {
    path: '/search',
    name: 'Search in outputs',
    glyph: <FileSearch className="size-3.25" aria-hidden />,
    needs: 'viewer',
  },
  { path: '/prompts', name: 'Prompts', glyph: <SquareTerminal className="size-3.25" aria-hidden />, needs: 'viewer' },
  { path: '/datasets', name: 'Datasets', glyph: <Database className="size-3.25" aria-hidden />, needs: 'viewer' },
  { path: '/insights', name: 'Insights', glyph: <Gauge className="size-3.25" aria-hidden />, needs: 'viewer' },
  { path: '/models', name: 'Models', glyph: <Cpu className="size-3.25" aria-hidden />, needs: 'viewer' },
  { path: '/settings', name: 'Settings', glyph: <Settings className="size-3.25" aria-hidden />, needs: 'owner' },
  { path: '/settings/team', name: 'Team', glyph: <Users className="size-3.25" aria-hidden />, needs: 'owner' },
  {
    path: '/settings/audit',
    name: 'Audit log',
    glyph: <ScrollText className="size-3.25" aria-hidden />,
    needs: 'owner',
  },
  { path: '/settings/backup', name: 'Backup', glyph: <Archive className="size-3.25" aria-hidden />, needs: 'owner' },
  { path: '/account', name: 'Your account', glyph: <CircleUser className="size-3.25" aria-hidden />, needs: 'viewer' },
];

/** What can be begun from the command menu; `value` is what it is found by. */
export const DEEDS: (MenuPlace & { value: string })[] = [
  {
    path: '/experiments/new',
    name: 'New experiment',
    value: 'new experiment',
    glyph: <Plus className="size-3.25" aria-hidden />,
    needs: 'editor',
  },
  {
    path: '/prompts/new',
    name: 'New prompt',
    value: 'new prompt write',
    glyph: <Plus className="size-3.25" aria-hidden />,
    needs: 'editor',
  },
  {
    path: '/datasets/new',
    name: 'Import cases',
    value: 'import cases dataset',
    glyph: <Import className="size-3.25" aria-hidden />,
    needs: 'editor',
  },
  {
    path: '/lessons/new',
    name: 'Add a lesson',
    value: 'add lesson',
    glyph: <Plus className="size-3.25" aria-hidden />,
    needs: 'editor',
  },
  {
    path: '/lessons/import',
    name: 'Import lessons',
    value: 'import lessons',
    glyph: <Import className="size-3.25" aria-hidden />,
    needs: 'editor',
  },
  {
    path: '/lessons/recall',
    name: 'See which lessons a run would be given',
    value: 'try recall lessons',
    glyph: <Search className="size-3.25" aria-hidden />,
    needs: 'reviewer',
  },
];
