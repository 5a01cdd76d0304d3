'use client';

import { Paperclip, TextCursorInput } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useId } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field, Textarea } from '#components/ui/field.tsx';
import { errorSentence, useFieldError } from '#components/ui/form-errors.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { loadOrRetry } from '#components/ui/load-or-retry.tsx';
import type { ChatMessage } from '#lib/core/chat/chat-message.ts';
import { textOf } from '#lib/core/chat/message-content.ts';
import type { TypedInput } from './typed-input.ts';

// Loaded on demand, because most inputs are texts.
const MessagesField = dynamic(() =>
  loadOrRetry(() => import('./messages-field.tsx').then((file) => file.MessagesField)),
);

type TypedInputFieldProps = {
  value: TypedInput;
  onChange: (value: TypedInput) => void;
  help?: string;
  path?: string;
  error?: string | null;
};

/** Edits the input of a case: one text, or messages with files. */
export function TypedInputField({ value: { input, messages }, onChange, help, path, error }: TypedInputFieldProps) {
  if (messages === null)
    return (
      <>
        <Field label="Input" {...(help !== undefined && { help })} path={path} error={error ?? null}>
          <Textarea rows={4} value={input} onValue={(value) => onChange({ input: value, messages })} />
        </Field>
        <Button
          size="small"
          variant="ghost"
          className="self-start"
          onClick={() => onChange({ input, messages: [{ role: 'user', content: input }] })}
        >
          <Paperclip />
          Use messages and files
        </Button>
      </>
    );
  return (
    <>
      <TypedMessages
        messages={messages}
        path={path}
        error={error ?? null}
        onChange={(next) => onChange({ input, messages: next })}
      />
      <Button
        size="small"
        variant="ghost"
        className="self-start"
        onClick={() => onChange({ messages: null, input: messages.map(textOf).join('\n\n') })}
      >
        <TextCursorInput />
        Use text only
      </Button>
    </>
  );
}

type TypedMessagesProps = {
  messages: readonly ChatMessage[];
  path: string | undefined;
  error: string | null;
  onChange: (messages: ChatMessage[]) => void;
};

function TypedMessages({ messages, path, error: supplied, onChange }: TypedMessagesProps) {
  const id = useId();
  const found = useFieldError(path, 'Input', id);
  const error = supplied ?? found;
  const wrong = error === null ? {} : { 'aria-invalid': true, 'aria-describedby': `${id}-error` };
  return (
    <section aria-labelledby={`${id}-title`}>
      <p id={`${id}-title`} className="mb-1 font-medium text-sm">
        Input
      </p>
      <MessagesField messages={messages} onChange={onChange} path={path} first={{ id, ...wrong }} />
      {error === null ? null : (
        <InlineError id={`${id}-error`} className="mt-1">
          {errorSentence('Input', error)}
        </InlineError>
      )}
    </section>
  );
}
