'use client';

import { type ComponentType, type RefObject, useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';

/** Props of a dialog. */
type WindowProps = { open?: boolean; isOpen?: boolean; onOpenChange?: (open: boolean) => void };

/**
 * Loads a component for `dynamic`. If its code cannot be loaded, returns a component that shows an error with a button to try again.
 * Otherwise the error page would replace the page, and typed input would be lost. A dialog shows the error only while it is open.
 */
export async function loadOrRetry<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): Promise<ComponentType<Props>> {
  return load().catch(() => {
    let Loaded: ComponentType<Props> | null = null;
    return function RetriedPart(props: Props & WindowProps) {
      const [isLoading, setLoading] = useState(false);
      const { onOpenChange: setOpen, open, isOpen = open } = props;
      if (Loaded !== null) return <Loaded {...props} />;
      if (setOpen !== undefined && isOpen !== true) return null;
      async function retry() {
        setLoading(true);
        Loaded = await load().catch(() => null);
        setLoading(false);
      }
      return (
        <LoadError
          isLoading={isLoading}
          onRetry={retry}
          onClose={setOpen === undefined ? null : () => setOpen(false)}
        />
      );
    };
  });
}

type LoadErrorProps = { isLoading: boolean; onRetry: () => Promise<void>; onClose: (() => void) | null };

function LoadError({ isLoading, onRetry, onClose }: LoadErrorProps) {
  const retry = useRef<HTMLButtonElement>(null);
  useDialogKeys(retry, onClose);
  return (
    <div
      role="alert"
      className={classNames(
        'rounded-2 border border-worse/30 bg-worse-bg px-3 py-2 text-sm',
        onClose !== null && 'fixed top-16 right-4 z-50 max-w-[min(30rem,calc(100vw-2rem))] shadow-pop',
      )}
    >
      <b className="block font-medium">This part could not be loaded</b>
      Check the connection, then try again. If Hone was updated, copy your input and reload the page.
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <Button ref={retry} size="small" disabled={isLoading} onClick={() => void onRetry()}>
          {isLoading ? 'Loading' : 'Try again'}
        </Button>
        {onClose === null ? null : (
          <Button size="small" onClick={onClose}>
            Close
          </Button>
        )}
      </div>
    </div>
  );
}

/**
 * For an error instead of a dialog: takes the focus like the dialog, closes on Escape and returns the focus. `onClose` is null for others.
 */
function useDialogKeys(first: RefObject<HTMLElement | null>, onClose: (() => void) | null): void {
  const close = useRef(onClose);
  close.current = onClose;
  const isDialog = onClose !== null;
  useEffect(() => {
    if (!isDialog) return;
    const opener = document.activeElement;
    first.current?.focus();
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') close.current?.();
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
      if (document.activeElement !== document.body) return;
      const isThere = opener instanceof HTMLElement && opener !== document.body && opener.isConnected;
      (isThere ? opener : document.getElementById('content'))?.focus({ preventScroll: true });
    };
  }, [isDialog, first]);
}
