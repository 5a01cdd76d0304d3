'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useCallback, useEffect, useState } from 'react';

/** Event dispatched on the window when navigation starts without a link or form. */
const LEAVING = 'hone:leaving';

/** Returns a function that navigates to another page of Hone and shows progress. */
export function useGoTo(): (path: string) => void {
  const router = useRouter();
  return useCallback(
    (path: string) => {
      window.dispatchEvent(new CustomEvent(LEAVING, { detail: path }));
      router.push(path);
    },
    [router],
  );
}

/** Progress bar at the top while the next page loads. The old page stays visible until then. */
export function PageProgress() {
  const search = useSearchParams().toString();
  const here = `${usePathname()}${search === '' ? '' : `?${search}`}`;
  const [left, setLeft] = useState<string | null>(null);
  if (left !== null && left !== here) setLeft(null);
  useEffect(() => {
    const watching = new AbortController();
    const { signal } = watching;
    const leave = (target: URL | null) => {
      if (target !== null && isOtherPage(target)) setLeft(here);
    };
    // Listens on the window, after React. Navigation handled by the router is already prevented, and events stopped by a guard do not
    // arrive.
    window.addEventListener('click', (event) => leave(event.defaultPrevented ? linkTarget(event) : null), { signal });
    window.addEventListener('submit', (event) => leave(event.defaultPrevented ? formTarget(event) : null), { signal });
    window.addEventListener(LEAVING, (event) => leave(new URL(String((event as CustomEvent).detail), location.href)), {
      signal,
    });
    return () => watching.abort();
  }, [here]);
  return (
    <div className="pointer-events-none fixed inset-x-0 top-0 z-50 h-0.5 print:hidden" aria-hidden>
      {left === null ? null : (
        <div className="h-full w-full origin-left animate-progress bg-brand" data-testid="page-progress" />
      )}
    </div>
  );
}

/** True for another page of Hone or another query of this one; false for other sites and the API. */
export function isOtherPage(target: URL): boolean {
  const isSame = target.pathname === location.pathname && target.search === location.search;
  return target.origin === location.origin && !isSame && !target.pathname.startsWith('/api/');
}

/** Returns the URL that a click on a link opens in this window. Null for any other click. */
export function linkTarget({ target }: Pick<MouseEvent, 'target'>): URL | null {
  const link = target instanceof Element ? target.closest('a') : null;
  if (!(link instanceof HTMLAnchorElement) || link.href === '' || link.target !== '' || link.hasAttribute('download'))
    return null;
  return new URL(link.href);
}

/** Returns the target of a form that only navigates (a filter, a search). Null for a form that saves. */
export function formTarget({ target }: Pick<SubmitEvent, 'target'>): URL | null {
  if (!(target instanceof HTMLFormElement) || target.method !== 'get' || !target.hasAttribute('action')) return null;
  const to = new URL(target.getAttribute('action') ?? '', location.href);
  const fields = [...new FormData(target)].flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );
  to.search = new URLSearchParams(fields).toString();
  return to;
}
