'use client';

import type { ComponentProps, MouseEvent } from 'react';
import { isOtherPage, linkTarget, useGoTo } from '#components/layout/page-progress.tsx';

/** Follows the links inside without a full page load. Uses one listener, because a page may contain a hundred links. */
export function ClientSideLinks(props: ComponentProps<'div'>) {
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

/** Returns the path of another page of Hone if a click opens it in this window. Null for any other click. */
function pathToFollow(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const target = linkTarget(event);
  return target !== null && isOtherPage(target) ? target.pathname + target.search + target.hash : null;
}
