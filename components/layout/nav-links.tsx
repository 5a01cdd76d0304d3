'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { usePerson } from '#components/access/role-provider.tsx';
import { menuPagesOf } from './menu-pages.ts';
import { useAssignedCount, useLessonsToReview, useWaitingCount } from './use-waiting-count.ts';

/** Where one can go, of what one's role may open; the place one is at is marked. A run belongs to the experiments. */
export function NavLinks({ label, part }: { label: string; part: 'main' | 'more' | 'all' }) {
  const path = usePathname();
  const { role } = usePerson();
  const links = menuPagesOf(role).filter(({ links: of }) => of !== undefined && (part === 'all' || of === part));
  return (
    <nav aria-label={label}>
      {links.map(({ path: href, name, Glyph }) => (
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
