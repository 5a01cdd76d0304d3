'use client';

import dynamic from 'next/dynamic';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import type { Message } from './toast.ts';
import type { ToastListProps } from './toast-list.tsx';

// Loaded with the first toast.
const ToastList = dynamic(
  () =>
    import('./toast-list.tsx').then(
      (file) => file.ToastList,
      () => PlainToasts,
    ),
  { ssr: false },
);

/** Replaces the toasts if their code cannot be loaded. */
function PlainToasts({ messages, onClose }: ToastListProps) {
  return (
    <div
      role="status"
      className="fixed right-4 bottom-24 z-50 max-w-[calc(100vw-2rem)] rounded-2 bg-ink text-bg shadow-pop"
    >
      {messages.map(({ id, text }) => (
        <button
          key={id}
          type="button"
          className="wrap-anywhere block cursor-pointer px-3 py-2 text-left"
          onClick={() => onClose(id)}
        >
          {text} <span aria-hidden>✕</span>
          <span className="sr-only">Close</span>
        </button>
      ))}
    </div>
  );
}

type Announce = (text: string, tone?: Message['tone']) => void;

const ToastContext = createContext<Announce>(() => {});

/** Returns a function that shows a toast for the result of an action: `useToast()('Accepted v3')`. */
export function useToast(): Announce {
  return useContext(ToastContext);
}

/** Provides toasts to the components inside. */
export function Toaster({ children }: { children: ReactNode }) {
  const [{ messages, last }, setShown] = useState<{ messages: Message[]; last: number }>({ messages: [], last: 0 });
  const announce = useCallback<Announce>((text, tone = 'done') => {
    setShown((shown) => {
      const id = shown.last + 1;
      return { messages: [...shown.messages.slice(-3), { id, text, tone }], last: id };
    });
  }, []);
  const close = (id: number) =>
    setShown((shown) => ({ ...shown, messages: shown.messages.filter((message) => message.id !== id) }));
  return (
    <ToastContext value={announce}>
      {children}
      {last > 0 ? <ToastList messages={messages} onClose={close} /> : null}
    </ToastContext>
  );
}
