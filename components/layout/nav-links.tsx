'use client';

import { useQuery } from '@tanstack/react-query';
import { CircleHelp, Menu } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { usePerson } from '#components/access/role-provider.tsx';
import { type ApiAnswer, readApi } from '#components/api/call-api.ts';
import { Button, buttonVariants } from '#components/ui/button.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { Link } from '#components/ui/link.tsx';
import { PAGES, type PageRules } from '#lib/auth/pages.ts';
import { createRouter } from '#lib/input/find-route.ts';
import { JumpButton, NewButton } from './command-center.tsx';
import { CurrentUser } from './current-user.tsx';
import { currentPage, navigationOf } from './menu-pages.ts';

/** Navigation links by group that the user's role may open. Marks the current page. */
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
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is only for form fields
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
              <Glyph className="size-4" />
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

/**
 * Menu that replaces the sidebar on narrow pages. Its links are rendered when it is first opened, because most pages would otherwise
 * contain the navigation twice.
 */
export function NarrowMenu() {
  const path = usePathname();
  const { isLocal } = usePerson();
  const details = useRef<HTMLDetailsElement>(null);
  const [wasOpened, setWasOpened] = useState(false);
  // It may have been opened before hydration.
  useEffect(() => setWasOpened(details.current?.open ?? false), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the path changes
  useEffect(() => {
    if (details.current) details.current.open = false;
  }, [path]);
  useEffect(() => {
    const closeOutside = ({ target }: PointerEvent) => {
      if (details.current && target instanceof Node && !details.current.contains(target)) details.current.open = false;
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, []);
  return (
    <details
      className="relative narrow:hidden"
      ref={details}
      onToggle={({ currentTarget }) => currentTarget.open && setWasOpened(true)}
      onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.removeAttribute('open')}
    >
      <summary
        className={classNames(buttonVariants({ size: 'icon' }), 'list-none [&::-webkit-details-marker]:hidden')}
        aria-label="Menu"
      >
        <Menu className="size-4" />
      </summary>
      <div className="absolute top-9 left-0 z-20 flex max-h-[calc(100dvh-4rem)] w-56 flex-col overflow-y-auto *:flex-none rounded-3 border border-line-strong bg-surface p-2 shadow-pop">
        {wasOpened ? (
          <>
            <JumpButton />
            <NewButton />
            <NavLinks label="Main, narrow" />
            {isLocal ? null : (
              <div
                className="mt-2 flex items-center gap-2 border-line border-t p-2 text-ink-2 text-sm"
                data-testid="who-narrow"
              >
                <CurrentUser />
              </div>
            )}
          </>
        ) : null}
      </div>
    </details>
  );
}

const findPage = createRouter(Object.entries<PageRules>(PAGES).map(([path, { help }]) => ({ path, help })));

/** Link to the documentation of the current page. Renders nothing if there is none. */
export function HelpLink() {
  const help = findPage(usePathname())?.items[0]?.help ?? null;
  if (help === null) return null;
  const name = `Help: ${help.topic}`;
  return (
    <Button asChild variant="ghost" size="icon">
      <Link href={`/docs/${help.at}`} aria-label={name} title={name}>
        <CircleHelp className="size-4" />
      </Link>
    </Button>
  );
}

function WaitingCount() {
  return <WaitingBadge count={useWaitingCount()} label="waiting" mine={useAssignedCount()?.runs ?? 0} />;
}

function LessonsToReview() {
  return <WaitingBadge count={useLessonsToReview()} label="to review" mine={useAssignedCount()?.lessons ?? 0} />;
}

/** `mine`: the number of these that are assigned to the current user. */
function WaitingBadge({ count, label, mine }: { count: number; label: string; mine: number }) {
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
      <span className="sr-only"> {label}</span>
    </span>
  );
}

/** Poll interval of the counts, in milliseconds. */
const POLL_INTERVAL_MS = 10_000;

/**
 * Returns the number of waiting runs. Polls also while the window is hidden, because its title shows the count. `known`: the initial value.
 */
export function useWaitingCount(known?: number): number {
  return useCounts()?.waiting ?? known ?? 0;
}

/** Returns the number of lessons waiting for review. `known`: the initial value. */
export function useLessonsToReview(known?: number): number {
  return useCounts()?.lessonsToReview ?? known ?? 0;
}

/** Returns how many waiting runs and lessons are assigned to the current user. Null until loaded. */
export function useAssignedCount(): { runs: number; lessons: number } | null {
  return useCounts()?.assigned ?? null;
}

function useCounts(): ApiAnswer<'GET /api/v1/inbox/count'> | undefined {
  const { data } = useQuery({
    queryKey: WAITING_COUNT,
    queryFn: ({ signal }) => readApi('GET /api/v1/inbox/count', { signal }),
    refetchInterval: POLL_INTERVAL_MS,
    refetchIntervalInBackground: true,
    retry: false,
  });
  // A component that hydrates later must first render the server's value.
  const isAlive = useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
  return isAlive ? data : undefined;
}

/** Query key of the counts. Invalidate it after a decision. */
export const WAITING_COUNT = ['waiting-count'];
