'use client';

import dynamic from 'next/dynamic';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';

// Loaded when somebody begins to type: it must be there also where the connection breaks afterwards.
const LeaveDialog = dynamic(() => import('./leave-dialog.tsx').then((file) => file.LeaveDialog), { ssr: false });

/** Goes elsewhere at once where nothing typed would be lost, else after the person was asked. */
type Leave = (go: () => void) => void;

const LeaveContext = createContext<Leave>((go) => go());

/** For ways to another page that are no links: `useLeave()(() => router.push('/runs'))`. A form that has saved goes on without it. */
export function useLeave(): Leave {
  return useContext(LeaveContext);
}

type Asked = { fields: string[]; go: () => void };

/**
 * Asks before typed text is lost: at links, at what goes by `useLeave`, at the way back where the browser lets a page ask, and, in the browser's
 * own words, when the window is closed or loaded anew.
 */
export function LeaveGuard({ children }: { children: ReactNode }) {
  const typed = useRef<TypedText | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isTyping, setTyping] = useState(false);
  const leave = useCallback<Leave>((go) => {
    const fields = typed.current?.unsaved() ?? [];
    if (fields.length === 0) go();
    else setAsked({ fields, go });
  }, []);

  useEffect(() => {
    const text = watchTypedText(document, () => setTyping(true));
    typed.current = text;
    const watching = new AbortController();
    const { signal } = watching;
    const onClick = (event: MouseEvent) => {
      const link = linkToElsewhere(event);
      if (link === null || text.unsaved().length === 0) return;
      event.preventDefault();
      event.stopPropagation();
      leave(() => link.click());
    };
    const onClose = (event: BeforeUnloadEvent) => {
      if (text.unsaved().length > 0) event.preventDefault();
    };
    const onBack = (event: NavigateEvent) => {
      const { destination, navigationType, cancelable } = event;
      if (navigationType !== 'traverse' || !cancelable || !isElsewhere(new URL(destination.url))) return;
      if (text.unsaved().length === 0) return;
      event.preventDefault();
      leave(() => void window.navigation.traverseTo(destination.key));
    };
    // Before React hears of the click.
    document.addEventListener('click', onClick, { capture: true, signal });
    window.addEventListener('beforeunload', onClose, { signal });
    if ('navigation' in window) window.navigation.addEventListener('navigate', onBack, { signal });
    return () => {
      watching.abort();
      text.stop();
    };
  }, [leave]);

  function goOn() {
    typed.current?.forget();
    setAsked(null);
    asked?.go();
  }
  return (
    <LeaveContext value={leave}>
      {children}
      {isTyping ? <LeaveDialog fields={asked?.fields ?? null} onStay={() => setAsked(null)} onLeave={goOn} /> : null}
    </LeaveContext>
  );
}

/** The link that a click follows in this window to another page of Hone; null at any other click. */
function linkToElsewhere(event: MouseEvent): HTMLAnchorElement | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!(link instanceof HTMLAnchorElement) || link.href === '' || link.hasAttribute('download')) return null;
  if (link.target !== '' && link.target !== '_self') return null;
  return isElsewhere(new URL(link.href)) ? link : null;
}

/** Another site is none of ours to ask about: the browser does. What the API gives is kept as a file, and the page stays. */
function isElsewhere({ origin, pathname }: URL): boolean {
  return origin === location.origin && pathname !== location.pathname && !pathname.startsWith('/api/');
}

type Field = HTMLInputElement | HTMLTextAreaElement;

const TYPED = ['text', 'email', 'url', 'number'];

/** What was typed into forms and is not saved. Forms that lead to an address by themselves (filters, searches) keep nothing. */
type TypedText = {
  /** The names of the fields at stake, in their order on the page; none where nothing would be lost. */
  unsaved(): string[];
  /** Takes what is typed as let go. */
  forget(): void;
  stop(): void;
};

/**
 * Watches all forms of the page from now on; `onTyping` is called before text changes. What a form has sent counts as saved, unless the form
 * says that something is wrong.
 */
function watchTypedText(page: Document, onTyping: () => void): TypedText {
  const before = new Map<Field, string>();
  const sent = new Map<Field, string>();
  const watching = new AbortController();
  const options = { capture: true, passive: true, signal: watching.signal };
  const notice = ({ target }: Event) => {
    if (!isKept(target) || before.has(target)) return;
    before.set(target, target.value);
    onTyping();
  };
  // Some fields are typed into without having been gone to, such as those a page begins with.
  for (const type of ['focusin', 'beforeinput']) page.addEventListener(type, notice, options);
  page.addEventListener(
    'submit',
    ({ target }) => {
      for (const field of before.keys()) if (field.form === target) sent.set(field, field.value);
    },
    options,
  );
  const isUnsaved = (field: Field, was: string) =>
    field.isConnected && field.value !== was && (field.value !== sent.get(field) || saysFault(field.form));
  return {
    unsaved: () => {
      for (const field of before.keys()) if (!field.isConnected) before.delete(field);
      const fields = [...before].filter(([field, was]) => isUnsaved(field, was)).map(([field]) => field);
      return fields.toSorted(byPlace).map(nameOf);
    },
    forget: () => {
      before.clear();
      sent.clear();
    },
    stop: () => watching.abort(),
  };
}

function isKept(target: EventTarget | null): target is Field {
  const isField =
    target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && TYPED.includes(target.type));
  return isField && target.form !== null && !target.form.hasAttribute('action') && !target.readOnly;
}

function saysFault(form: HTMLFormElement | null): boolean {
  return form?.querySelector('[aria-invalid="true"], [role="alert"]') != null;
}

function byPlace(one: Node, other: Node): number {
  return one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}

function nameOf(field: Field): string {
  const name = field.labels?.[0]?.textContent.trim() || field.getAttribute('aria-label') || 'an unnamed field';
  return name.length > 60 ? `${name.slice(0, 60)} …` : name;
}
