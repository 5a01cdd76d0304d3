'use client';

import { Keyboard, Search } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { usePerson } from '#components/access/role-provider.tsx';
import { Button } from '#components/ui/button.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { Link } from '#components/ui/link.tsx';
import { ShortcutKey } from '#components/ui/shortcut-key.tsx';
import { useModKey } from '#components/ui/use-mod-key.ts';
import { useCommandCenter } from './command-center.tsx';
import { currentPage, menuPagesOf, navigationOf } from './menu-pages.ts';
import { useAssignedCount, useLessonsToReview, useWaitingCount } from './use-waiting-count.ts';

/** Where one can go, of what one's role may open, by group; the place one is at is marked. */
export function NavLinks({ label, className }: { label: string; className?: string }) {
  const path = usePathname();
  const parts = navigationOf(usePerson().role);
  const current = currentPage(
    parts.flatMap(({ pages }) => pages),
    path,
  );
  return (
    <nav aria-label={label} className={classNames('following:mt-2', className)}>
      {parts.map(({ group, name, pages }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
        <div key={group} role="group" aria-label={name}>
          <p className="rail:mx-2 rail:my-2 rail:h-px rail:bg-line px-2 pt-1 pb-0.5 text-ink-3 text-sm" aria-hidden>
            <span className="rail:hidden">{name}</span>
          </p>
          {pages.map(({ path: href, name: page, Glyph }) => (
            <Link
              key={href}
              href={href}
              className="relative flex h-7.5 pointer-coarse:min-h-10 items-center rail:justify-center gap-2 rounded-2 px-2 rail:px-0 font-medium text-ink-2 hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-semibold aria-[current=page]:text-ink motion-safe:transition-[background-color,border-color] aria-[current=page]:[&>svg]:text-brand"
              aria-current={href === current ? 'page' : undefined}
              title={page}
            >
              <Glyph aria-hidden />
              <span className="rail:sr-only min-w-0 truncate">{page}</span>
              {href === '/inbox' ? <WaitingCount /> : null}
              {href === '/lessons' ? <LessonsToReview /> : null}
            </Link>
          ))}
        </div>
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

/** Opens the command menu; in the side bar and in the narrow menu. */
export function JumpButton() {
  const { openMenu } = useCommandCenter();
  const mod = useModKey();
  return (
    <button
      type="button"
      className="mt-1 mb-1 flex h-7.5 pointer-coarse:min-h-10 cursor-pointer items-center rail:justify-center gap-2 rounded-2 border border-line-strong bg-surface px-2 rail:px-0 text-left text-ink-3 text-sm"
      onClick={openMenu}
      aria-haspopup="dialog"
    >
      <Search className="size-3.25" aria-hidden />
      <span className="rail:sr-only min-w-0 truncate">Search</span>
      <kbd className="ml-auto rail:hidden pointer-coarse:hidden flex-none">{mod === '⌘' ? '⌘K' : 'Ctrl K'}</kbd>
    </button>
  );
}

/** Leads to a new experiment; nothing for those who may not make one. */
export function NewButton() {
  const page = menuPagesOf(usePerson().role).find(({ path }) => path === '/experiments/new');
  if (page === undefined) return null;
  return (
    <Button asChild className="mb-1 justify-start px-2 rail:justify-center rail:px-0">
      <Link href={page.path} aria-label={page.name} title={page.name}>
        <page.Glyph aria-hidden />
        <span className="rail:hidden">New</span>
      </Link>
    </Button>
  );
}

/** Opens the sheet of keys. */
export function KeysButton() {
  const { openKeys } = useCommandCenter();
  return (
    <button
      type="button"
      className="flex h-7.5 w-full cursor-pointer items-center rail:justify-center gap-2 rounded-2 px-2 rail:px-0 font-medium text-ink-2 hover:bg-hover hover:text-ink"
      onClick={openKeys}
      aria-haspopup="dialog"
      title="Keys"
    >
      <Keyboard aria-hidden />
      <span className="rail:sr-only">Keys</span>
      <span className="rail:sr-only ml-auto">
        <ShortcutKey id="keys" />
      </span>
    </button>
  );
}
