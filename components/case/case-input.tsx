import { classNames } from '#components/ui/class-names.ts';
import { withIndexKeys } from '#components/ui/with-index-keys.ts';
import type { ChatMessage, ChatPart } from '#lib/core/chat/chat-message.ts';
import { ROLE_LABELS } from '#lib/core/chat/chat-roles.ts';
import { CaseFile } from './case-file.tsx';

type CaseInputProps = {
  input: string;
  messages?: readonly ChatMessage[] | null;
  className?: string;
  testId?: string;
};

/** Renders the input of a case: its text, or its messages with images and files. */
export function CaseInput({ input, messages, className, testId }: CaseInputProps) {
  if (!messages)
    return (
      <p className={classNames('prose wrap-anywhere whitespace-pre-wrap', className)} dir="auto" data-testid={testId}>
        {input}
      </p>
    );
  return (
    <ol className={classNames('flex flex-col gap-2', className)} aria-label="Messages" data-testid={testId}>
      {withIndexKeys(messages).map(([key, message]) => (
        <li key={key} className="border-line-strong border-l-2 pl-3">
          <span className="text-ink-3 text-sm">
            {ROLE_LABELS[message.role]}
            {message.tool === undefined ? '' : ` ${message.tool}`}
          </span>
          {withIndexKeys(partsOf(message)).map(([key, part]) =>
            part.type === 'text' ? (
              <p key={key} dir="auto" className="prose wrap-anywhere whitespace-pre-wrap">
                {part.text}
              </p>
            ) : (
              <CaseFile key={key} file={part} />
            ),
          )}
          {(message.toolCalls ?? []).map((call) => (
            <p key={call.id} className="wrap-anywhere font-mono text-code text-ink-2">
              {call.tool} {call.arguments}
            </p>
          ))}
        </li>
      ))}
    </ol>
  );
}

type CaseReferenceProps = { reference: string | null; label: string; className?: string };

/** Shows the reference of a case. Renders nothing without one. */
export function CaseReference({ reference, label, className }: CaseReferenceProps) {
  if (reference === null) return null;
  return (
    <p className={classNames('wrap-anywhere text-ink-2 text-sm', className)}>
      {label}: <b className="font-medium">{reference}</b>
    </p>
  );
}

function partsOf({ content }: ChatMessage): ChatPart[] {
  return typeof content === 'string' ? (content === '' ? [] : [{ type: 'text', text: content }]) : content;
}
