'use client';

import { useEffect } from 'react';
import { useToast } from '#components/ui/toaster.tsx';
import { followedLink } from './followed-link.ts';
import { formTarget, isOtherPage } from './page-progress.tsx';

/**
 * Keeps the page if a link or a search is followed while the browser is offline and Hone does not respond. The router would replace the
 * page by the browser's error page. If Hone runs on this computer, it responds.
 */
export function OfflineGuard() {
  const toast = useToast();
  useEffect(() => {
    const watching = new AbortController();
    // Before the handlers of React.
    const options = { capture: true, signal: watching.signal };
    let isChecked = false;
    async function check(event: Event, follow: () => void) {
      event.preventDefault();
      event.stopPropagation();
      const response = await fetch('/icon.svg', { method: 'HEAD', cache: 'no-store' }).catch(() => null);
      if (watching.signal.aborted) return;
      if (response === null) return toast('Hone did not respond. Check the connection, then try again.', 'problem');
      isChecked = true;
      follow();
      isChecked = false;
    }
    const onClick = (event: MouseEvent) => {
      const link = navigator.onLine || isChecked ? null : followedLink(event);
      if (link !== null && isOtherPage(new URL(link.href))) void check(event, () => link.click());
    };
    const onSubmit = (event: SubmitEvent) => {
      const form = navigator.onLine || isChecked || formTarget(event) === null ? null : event.target;
      if (form instanceof HTMLFormElement) void check(event, () => form.requestSubmit(event.submitter));
    };
    document.addEventListener('click', onClick, options);
    document.addEventListener('submit', onSubmit, options);
    return () => watching.abort();
  }, [toast]);
  return null;
}
