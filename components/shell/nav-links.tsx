'use client';

import { BookOpen, ChartSpline, Cpu, Database, Gauge, House, Inbox, Settings, SquareTerminal } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useLessonsToReview, useWaitingCount } from './use-waiting-count.ts';

const MAIN = [
  { href: '/', label: 'Home', Glyph: House },
  { href: '/inbox', label: 'Inbox', Glyph: Inbox },
  { href: '/experiments', label: 'Experiments', Glyph: ChartSpline },
  { href: '/lessons', label: 'Lessons', Glyph: BookOpen },
  { href: '/prompts', label: 'Prompts', Glyph: SquareTerminal },
  { href: '/datasets', label: 'Datasets', Glyph: Database },
  { href: '/insights', label: 'Insights', Glyph: Gauge },
];
const MORE = [
  { href: '/models', label: 'Models', Glyph: Cpu },
  { href: '/settings', label: 'Settings', Glyph: Settings },
];

/** Where one can go; the place one is at is marked. A run belongs to the experiments. */
export function NavLinks({ label, part }: { label: string; part: 'main' | 'more' | 'all' }) {
  const path = usePathname();
  const links = part === 'main' ? MAIN : part === 'more' ? MORE : [...MAIN, ...MORE];
  return (
    <nav className="nav" aria-label={label}>
      {links.map(({ href, label: name, Glyph }) => (
        <Link key={href} href={href} aria-current={isAt(path, href) ? 'page' : undefined} title={name}>
          <Glyph className="i" aria-hidden />
          <span className="lb">{name}</span>
          {href === '/inbox' ? <WaitingCount /> : null}
          {href === '/lessons' ? <LessonsToReview /> : null}
        </Link>
      ))}
    </nav>
  );
}

/** How many runs wait for a person. */
function WaitingCount() {
  return <Due count={useWaitingCount()} words="waiting" />;
}

function LessonsToReview() {
  return <Due count={useLessonsToReview()} words="to review" />;
}

function Due({ count, words }: { count: number; words: string }) {
  if (count === 0) return null;
  return (
    <span className="count due">
      {count}
      <span className="vh"> {words}</span>
    </span>
  );
}

function isAt(path: string, href: string): boolean {
  if (href === '/') return path === '/';
  if (href === '/experiments' && (path === '/runs' || path.startsWith('/runs/'))) return true;
  return path === href || path.startsWith(`${href}/`);
}
