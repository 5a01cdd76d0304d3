'use client';

import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';

export type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  /** True for a dialog with a large text editor. */
  isWide?: boolean;
  children: ReactNode;
};

/** Modal dialog. Escape and the close button close it. Focus moves into it and is restored on close. */
export function ModalDialog({ open, onOpenChange, title, description, isWide = false, children }: DialogProps) {
  const { remember, onCloseAutoFocus } = useOpener();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay data-slot="dialog-overlay" className="fixed inset-0 z-40 bg-ink/30 dark:bg-sunken/75" />
        <Radix.Content
          data-slot="dialog"
          aria-describedby={description ? undefined : ''}
          onOpenAutoFocus={(event) => {
            remember();
            focusFirstField(event);
          }}
          onCloseAutoFocus={onCloseAutoFocus}
          onEscapeKeyDown={(event) => {
            if (isInOpenList(event.target)) event.preventDefault();
          }}
          className={classNames(
            'fixed left-1/2 z-50 -translate-x-1/2 overflow-y-auto rounded-3 border border-line-strong bg-surface p-5 shadow-pop',
            isWide
              ? 'top-[6vh] max-h-[88vh] w-[min(56rem,calc(100vw-2rem))]'
              : 'top-[12vh] max-h-[80vh] w-[min(30rem,calc(100vw-2rem))]',
          )}
        >
          <div className="mb-3 flex items-start gap-2">
            <div className="min-w-0 flex-1">
              <Radix.Title asChild>
                <h2>{title}</h2>
              </Radix.Title>
              {description ? (
                <Radix.Description asChild>
                  <p className="mt-1 text-ink-2 text-sm">{description}</p>
                </Radix.Description>
              ) : null}
            </div>
            <Radix.Close asChild>
              <IconButton icon={X} label="Close" />
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** True for the field of an open combobox, which Escape closes first. */
function isInOpenList(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('[role="combobox"][aria-expanded="true"]');
}

/** Focuses the first input field instead of the close button. */
function focusFirstField(event: Event): void {
  if (!(event.currentTarget instanceof HTMLElement)) return;
  const field =
    event.currentTarget.querySelector<HTMLElement>('[data-autofocus]') ??
    event.currentTarget.querySelector<HTMLElement>('input:not([type="hidden"]), select, textarea');
  if (field === null) return;
  event.preventDefault();
  field.focus();
}

/**
 * Restores focus for dialogs without a trigger element. Remembers the focused element on opening and focuses it on closing. If it is gone,
 * the page's content is focused, so that Tab does not restart at the top of the page.
 */
export function useOpener() {
  const opener = useRef<HTMLElement | null>(null);
  return {
    remember: () => {
      const { activeElement } = document;
      opener.current = activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : null;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      // The focus was moved deliberately in the meantime.
      if (document.activeElement !== null && document.activeElement !== document.body) return;
      const back = opener.current;
      const isThere = back?.isConnected === true && back.getClientRects().length > 0;
      (isThere ? back : document.getElementById('content'))?.focus({ preventScroll: true });
    },
  };
}
