'use client';

import { Check, TriangleAlert } from 'lucide-react';
import { Toast } from 'radix-ui';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { Button } from './button.tsx';
import { WithSignInLink } from './with-sign-in-link.tsx';

/** The look of a message that floats over the page. */
export const TOAST = [
  'inline-flex max-w-full items-center gap-3 rounded-2 bg-ink py-2 pr-2.5 pl-3 text-bg wrap-anywhere shadow-pop',
  '[&>[data-slot=button]]:flex-none [&>[data-slot=button]]:border-bg/45 [&>[data-slot=button]]:bg-transparent [&>[data-slot=button]]:text-inherit [&>[data-slot=button]]:hover:bg-bg/16',
  '[&_kbd]:border-bg/45 [&_kbd]:bg-transparent [&_kbd]:text-inherit [&>svg]:flex-none',
].join(' ');

type Message = { id: number; text: string; tone: 'done' | 'problem' };
type Announce = (text: string, tone?: Message['tone']) => void;

const ToastContext = createContext<Announce>(() => {});

/** Says in passing that something was done or was not: `useToast()('Accepted v3')`. */
export function useToast(): Announce {
  return useContext(ToastContext);
}

/** Holds the messages. Radix and not a ready-made toaster: those write style elements that the content policy refuses. */
export function Toaster({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<Message[]>([]);
  const announce = useCallback<Announce>((text, tone = 'done') => {
    setMessages((current) => [...current.slice(-3), { id: (current.at(-1)?.id ?? 0) + 1, text, tone }]);
  }, []);
  return (
    <ToastContext value={announce}>
      <Toast.Provider label="Message" duration={6000}>
        {children}
        {messages.map((message) => (
          <Toast.Root
            key={message.id}
            className={TOAST}
            type={message.tone === 'problem' ? 'foreground' : 'background'}
            onOpenChange={(open) => {
              if (!open) setMessages((current) => current.filter((candidate) => candidate.id !== message.id));
            }}
          >
            {message.tone === 'problem' ? <TriangleAlert aria-hidden /> : <Check aria-hidden />}
            <Toast.Description>
              <WithSignInLink>{message.text}</WithSignInLink>
            </Toast.Description>
            <Toast.Close asChild>
              <Button size="small">Close</Button>
            </Toast.Close>
          </Toast.Root>
        ))}
        <Toast.Viewport
          label="Messages ({hotkey})"
          className="fixed right-4 bottom-24 z-50 flex max-w-[calc(100vw-2rem)] flex-col items-end gap-2"
        />
      </Toast.Provider>
    </ToastContext>
  );
}
