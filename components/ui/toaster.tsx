'use client';

import { Check, TriangleAlert } from 'lucide-react';
import { Toast } from 'radix-ui';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { WithSignInLink } from '#components/team/with-sign-in-link.tsx';

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
            className="toast"
            type={message.tone === 'problem' ? 'foreground' : 'background'}
            onOpenChange={(open) => {
              if (!open) setMessages((current) => current.filter((candidate) => candidate.id !== message.id));
            }}
          >
            {message.tone === 'problem' ? (
              <TriangleAlert className="i" aria-hidden />
            ) : (
              <Check className="i" aria-hidden />
            )}
            <Toast.Description>
              <WithSignInLink>{message.text}</WithSignInLink>
            </Toast.Description>
            <Toast.Close className="btn sm">Close</Toast.Close>
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
