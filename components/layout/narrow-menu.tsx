'use client';

import { Menu } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { usePerson } from '#components/access/role-provider.tsx';
import { buttonVariants } from '#components/ui/button.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { JumpButton, NewButton } from './command-center.tsx';
import { CurrentUser } from './current-user.tsx';
import { NavLinks } from './nav-links.tsx';

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
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path is the sign that a link was followed
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
