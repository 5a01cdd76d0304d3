'use client';

import dynamic from 'next/dynamic';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { followedLink } from './followed-link.ts';
import type { LeaveDialogProps } from './leave-dialog.tsx';

// Loaded when the user starts typing, so that it is available if the connection is lost later.
const LeaveDialog = dynamic(
  () =>
    import('./leave-dialog.tsx').then(
      (file) => file.LeaveDialog,
      () => BrowserPrompt,
    ),
  { ssr: false },
);

/** Replaces the dialog if its code cannot be loaded. */
function BrowserPrompt({ fields, onStay, onLeave }: LeaveDialogProps) {
  useEffect(() => {
    if (fields === null) return;
    const names = fields.map((name) => `“${name}”`).join(', ');
    if (confirm(`Leave without saving? Unsaved changes will be lost: ${names}.`)) onLeave();
    else onStay();
  });
  return null;
}

/** Navigates immediately if no unsaved text would be lost, else after confirmation. */
type Leave = (go: () => void) => void;

const LeaveContext = createContext<Leave>((go) => go());

/** For navigation without links: `useLeave()(() => router.push('/runs'))`. Forms that have saved navigate without it. */
export function useLeave(): Leave {
  return useContext(LeaveContext);
}

type PendingNavigation = { fields: string[]; go: () => void };

/**
 * Confirms before unsaved text is lost: on link clicks, on `useLeave`, and on back navigation if the browser supports it. Closing or
 * reloading the window shows the browser's own prompt.
 */
export function LeaveGuard({ children }: { children: ReactNode }) {
  const typed = useRef<TypedText | null>(null);
  const [pending, setPending] = useState<PendingNavigation | null>(null);
  const [isTyping, setTyping] = useState(false);
  const leave = useCallback<Leave>((go) => {
    const fields = typed.current?.unsaved() ?? [];
    if (fields.length === 0) go();
    else setPending({ fields, go });
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
    // Capture, to run before React's click handlers.
    document.addEventListener('click', onClick, { capture: true, signal });
    window.addEventListener('beforeunload', onClose, { signal });
    if ('navigation' in window) window.navigation.addEventListener('navigate', onBack, { signal });
    return () => {
      watching.abort();
      text.stop();
    };
  }, [leave]);

  function goOn() {
    typed.current?.clear();
    setPending(null);
    pending?.go();
  }
  return (
    <LeaveContext value={leave}>
      {children}
      {isTyping ? (
        <LeaveDialog fields={pending?.fields ?? null} onStay={() => setPending(null)} onLeave={goOn} />
      ) : null}
    </LeaveContext>
  );
}

/** Returns the link to another page of Hone if a click follows it in this window. Null for any other click. */
function linkToElsewhere(event: MouseEvent): HTMLAnchorElement | null {
  const link = followedLink(event);
  return link !== null && isElsewhere(new URL(link.href)) ? link : null;
}

/**
 * Excludes other sites, for which the browser prompts. Excludes API URLs, because downloads do not leave the page. Another tab of the same
 * page replaces its forms.
 */
function isElsewhere({ origin, pathname, searchParams }: URL): boolean {
  if (origin !== location.origin || pathname.startsWith('/api/')) return false;
  return pathname !== location.pathname || searchParams.get('tab') !== new URLSearchParams(location.search).get('tab');
}

type Field = HTMLInputElement | HTMLTextAreaElement;

const TYPED = ['text', 'email', 'url', 'number'];

/** Tracks unsaved text in forms. Forms that navigate on submit (filters, searches) are ignored. */
type TypedText = {
  /** Returns the names of the fields with unsaved text, in page order. Empty if nothing would be lost. */
  unsaved(): string[];
  /** Treats all typed text as discarded. */
  clear(): void;
  stop(): void;
};

/**
 * Tracks all forms of the page. `onTyping` is called before text changes. Submitted text counts as saved, unless the form shows an error.
 */
function watchTypedText(page: Document, onTyping: () => void): TypedText {
  const before = new Map<Field, string>();
  const sent = new Map<Field, string>();
  const watching = new AbortController();
  const options = { capture: true, passive: true, signal: watching.signal };
  const notice = ({ target }: Event) => {
    if (!isTrackedField(target) || before.has(target)) return;
    before.set(target, target.value);
    onTyping();
  };
  // Some fields receive input without a focus event, such as those focused on page load.
  for (const type of ['focusin', 'beforeinput']) page.addEventListener(type, notice, options);
  page.addEventListener(
    'submit',
    ({ target }) => {
      for (const field of before.keys()) if (field.form === target) sent.set(field, field.value);
    },
    options,
  );
  const isUnsaved = (field: Field, was: string) =>
    field.isConnected && field.value !== was && (field.value !== sent.get(field) || hasFormError(field.form));
  return {
    unsaved: () => {
      for (const field of before.keys()) if (!field.isConnected) before.delete(field);
      const fields = [...before].filter(([field, was]) => isUnsaved(field, was)).map(([field]) => field);
      return fields.toSorted(compareDocumentOrder).map(nameOf);
    },
    clear: () => {
      before.clear();
      sent.clear();
    },
    stop: () => watching.abort(),
  };
}

function isTrackedField(target: EventTarget | null): target is Field {
  const isField =
    target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && TYPED.includes(target.type));
  return isField && target.form !== null && !target.form.hasAttribute('action') && !target.readOnly;
}

function hasFormError(form: HTMLFormElement | null): boolean {
  return form?.querySelector('[aria-invalid="true"], [role="alert"]') != null;
}

function compareDocumentOrder(one: Node, other: Node): number {
  return one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}

function nameOf(field: Field): string {
  const name = field.labels?.[0]?.textContent.trim() || field.getAttribute('aria-label') || 'an unnamed field';
  return name.length > 60 ? `${name.slice(0, 60)} …` : name;
}
