'use client';

import { type ComponentProps, type MouseEvent, useEffect, useRef, useState } from 'react';
import { isOtherPage, linkTarget, useGoTo } from '#components/layout/page-progress.tsx';
import { copyText } from '#components/ui/copy-text.ts';

/** Requires the path of the page as its `key`. */
type DocBodyProps = { html: string; className: string };

/** Body of a documentation page. Code blocks can be copied, and wide tables can be scrolled with the keyboard. */
export function DocBody({ html, className }: DocBodyProps) {
  const body = useRef<HTMLDivElement>(null);
  const [status, setStatus] = useState('');
  useEffect(() => {
    if (body.current === null) return;
    const observer = new ResizeObserver((entries) => {
      for (const { target } of entries) makeReachable(target);
    });
    for (const frame of body.current.querySelectorAll('[data-scroll-x]')) observer.observe(frame);
    return () => observer.disconnect();
  }, []);
  async function copyCode({ target }: MouseEvent) {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null;
    const code = button?.parentElement?.querySelector('pre')?.textContent;
    if (!button || code == null) return;
    setStatus('');
    const isCopied = await copyText(code);
    for (const other of body.current?.querySelectorAll('[data-copy]') ?? []) other.textContent = 'Copy';
    if (isCopied) button.textContent = 'Copied';
    setStatus(isCopied ? 'Copied' : 'The browser blocked copying. Select the code and copy it.');
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it handles the events of the buttons inside */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: pressing Enter on a button is a click */}
      <div
        ref={body}
        className={className}
        onClick={copyCode}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: created from the docs of this installation, with all text escaped
        dangerouslySetInnerHTML={{ __html: html }}
      />
      <span className="sr-only" role="status">
        {status}
      </span>
    </>
  );
}

/** A frame that fits needs no tab stop, but removing it while focused would lose the focus. */
function makeReachable(frame: Element): void {
  const reach = { tabindex: '0', role: 'region', 'aria-label': frame.getAttribute('data-scroll-x') ?? '' };
  const scrolls = frame.scrollWidth > frame.clientWidth;
  for (const [name, value] of Object.entries(reach))
    if (scrolls) frame.setAttribute(name, value);
    else if (frame !== document.activeElement) frame.removeAttribute(name);
}

/** Follows the links inside without a full page load. Uses one listener, because a page may contain a hundred links. */
export function ClientSideLinks(props: ComponentProps<'div'>) {
  const goTo = useGoTo();
  function follow(event: MouseEvent<HTMLDivElement>) {
    const path = pathToFollow(event);
    if (path === null) return;
    event.preventDefault();
    goTo(path);
  }
  // biome-ignore lint/a11y/noStaticElementInteractions: it handles the events of the links inside
  // biome-ignore lint/a11y/useKeyWithClickEvents: pressing Enter on a link is a click
  return <div {...props} onClick={follow} />;
}

/** Returns the path of another page of Hone if a click opens it in this window. Null for any other click. */
function pathToFollow(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const target = linkTarget(event);
  return target !== null && isOtherPage(target) ? target.pathname + target.search + target.hash : null;
}
