'use client';

import type { ComponentProps, MouseEvent } from 'react';
import { useGoTo } from '#components/layout/page-progress.tsx';

/** Follows the links inside without a full page load. One listener for a page that has a hundred of them. */
export function SoftLinks(props: ComponentProps<'div'>) {
  const goTo = useGoTo();
  function follow(event: MouseEvent<HTMLDivElement>) {
    const path = pathToFollow(event);
    if (path === null) return;
    event.preventDefault();
    goTo(path);
  }
  // biome-ignore lint/a11y/noStaticElementInteractions: the links inside are what is pressed, also by keys
  // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click
  return <div {...props} onClick={follow} />;
}

/** The path of another page of Hone that a click leads to in this window; null for any other click. */
function pathToFollow(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.target !== '' || link.hasAttribute('download')) return null;
  const { origin, pathname, search, hash } = new URL(link.href);
  const isElsewhere = origin === location.origin && pathname !== location.pathname && !pathname.startsWith('/api/');
  return isElsewhere ? pathname + search + hash : null;
}
