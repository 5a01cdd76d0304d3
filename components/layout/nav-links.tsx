'use client';

import {
  BookOpen,
  ChartSpline,
  Cpu,
  Database,
  Gauge,
  House,
  Inbox,
  type LucideIcon,
  Settings,
  SquareTerminal,
} from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { usePerson } from '#components/access/role-provider.tsx';
import { type Role, roleAllows } from '#lib/auth/role.ts';
import { useAssignedCount, useLessonsToReview, useWaitingCount } from './use-waiting-count.ts';

type Place = { href: string; label: string; Glyph: LucideIcon; needs: Role };

const MAIN: Place[] = [
  { href: '/', label: 'Home', Glyph: House, needs: 'viewer' },
  { href: '/inbox', label: 'Inbox', Glyph: Inbox, needs: 'viewer' },
  { href: '/experiments', label: 'Experiments', Glyph: ChartSpline, needs: 'viewer' },
  { href: '/lessons', label: 'Lessons', Glyph: BookOpen, needs: 'viewer' },
  { href: '/prompts', label: 'Prompts', Glyph: SquareTerminal, needs: 'viewer' },
  { href: '/datasets', label: 'Datasets', Glyph: Database, needs: 'viewer' },
  { href: '/insights', label: 'Insights', Glyph: Gauge, needs: 'viewer' },
];
const MORE: Place[] = [
  { href: '/models', label: 'Models', Glyph: Cpu, needs: 'viewer' },
  { href: '/settings', label: 'Settings', Glyph: Settings, needs: 'owner' },
];

/** Where one can go, of what one's role may open; the place one is at is marked. A run belongs to the experiments. */
export function NavLinks({ label, part }: { label: string; part: 'main' | 'more' | 'all' }) {
  const path = usePathname();
  const { role } = usePerson();
  const links = (part === 'main' ? MAIN : part === 'more' ? MORE : [...MAIN, ...MORE]).filter(({ needs }) =>
    roleAllows(role, needs),
  );
  return (
    <nav aria-label={label}>
      {links.map(({ href, label: name, Glyph }) => (
        <Link
          key={href}
          href={href}
          className="relative flex h-7.5 pointer-coarse:min-h-10 items-center rail:justify-center gap-2 rounded-2 px-2 rail:px-0 font-medium text-ink-2 hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-semibold aria-[current=page]:text-ink motion-safe:transition-[background-color,border-color] aria-[current=page]:[&>svg]:text-brand"
          aria-current={isAt(path, href) ? 'page' : undefined}
          title={name}
        >
          <Glyph aria-hidden />
          <span className="rail:sr-only">{name}</span>
          {href === '/inbox' ? <WaitingCount /> : null}
          {href === '/lessons' ? <LessonsToReview /> : null}
        </Link>
      ))}
    </nav>
  );
}

/** How many runs wait for a person. */
function WaitingCount() {
  return <Due count={useWaitingCount()} words="waiting" mine={useAssignedCount()?.runs ?? 0} />;
}

function LessonsToReview() {
  return <Due count={useLessonsToReview()} words="to review" mine={useAssignedCount()?.lessons ?? 0} />;
}

/** `mine`: of these, what who looks was asked to look at. */
function Due({ count, words, mine }: { count: number; words: string; mine: number }) {
  if (count === 0) return null;
  return (
    <span className="rail:absolute rail:top-px rail:right-0.5 rail:m-0 ml-auto font-semibold rail:text-[0.625rem] text-wait text-xs">
      {mine === 0 ? null : (
        <span title={`${mine} for you`}>
          {mine}
          <span className="sr-only"> for you, of </span>
          <span aria-hidden>/</span>
        </span>
      )}
      {count}
      <span className="sr-only"> {words}</span>
    </span>
  );
}

function isAt(path: string, href: string): boolean {
  if (href === '/') return path === '/';
  if (href === '/experiments' && (path === '/runs' || path.startsWith('/runs/'))) return true;
  return path === href || path.startsWith(`${href}/`);
}
