'use client';

import { Check, TriangleAlert } from 'lucide-react';
import { Toast } from 'radix-ui';
import { Button } from './button.tsx';
import { type Message, TOAST } from './toast.ts';
import { WithSignInLink } from './with-sign-in-link.tsx';

export type ToastListProps = { messages: readonly Message[]; onClose: (id: number) => void };

/** Toasts. Uses Radix, because ready-made toasters inject style elements, which the Content Security Policy blocks. */
export function ToastList({ messages, onClose }: ToastListProps) {
  return (
    <Toast.Provider label="Message" duration={6000}>
      {messages.map((message) => (
        <Toast.Root
          key={message.id}
          className={TOAST}
          type={message.tone === 'problem' ? 'foreground' : 'background'}
          onOpenChange={(open) => {
            if (!open) onClose(message.id);
          }}
        >
          {message.tone === 'problem' ? <TriangleAlert className="size-4" /> : <Check className="size-4" />}
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
        // On a phone, it covers the breadcrumbs: at the bottom it would cover an action bar, and below them the badges of the page.
        className="fixed right-4 bottom-24 max-narrow:top-2 max-narrow:bottom-auto z-50 flex max-w-[calc(100vw-2rem)] flex-col items-end gap-2"
      />
    </Toast.Provider>
  );
}
