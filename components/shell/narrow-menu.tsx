'use client';

import { Menu } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { usePerson } from '#components/team/role-provider.tsx';
import { Who } from '#components/team/who.tsx';
import { JumpButton } from './command-buttons.tsx';
import { NavLinks } from './nav-links.tsx';

/** The same places as the side bar, behind a button, where there is no room for it. */
export function NarrowMenu() {
  const path = usePathname();
  const { isLocal } = usePerson();
  const details = useRef<HTMLDetailsElement>(null);
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
      className="menu"
      ref={details}
      onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.removeAttribute('open')}
    >
      <summary className="btn icon" aria-label="Menu">
        <Menu className="i" aria-hidden />
      </summary>
      <div className="drop">
        <JumpButton />
        <NavLinks label="Main, narrow" part="all" />
        {isLocal ? null : (
          <div className="who" data-testid="who-narrow">
            <Who />
          </div>
        )}
      </div>
    </details>
  );
}
