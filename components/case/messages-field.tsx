'use client';

import { Paperclip, Plus, Wrench, X } from 'lucide-react';
import { type ComponentProps, useEffect, useId, useState } from 'react';
import { callApi } from '#components/api/call-api.ts';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Field, Input, Select, Textarea } from '#components/ui/field.tsx';
import { FileButton } from '#components/ui/file-button.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { Options } from '#components/ui/options.tsx';
import { withIndexKeys } from '#components/ui/with-index-keys.ts';
import type { ToolCall } from '#lib/core/agents/agent-records.ts';
import type { ChatFile, ChatMessage } from '#lib/core/chat/chat-message.ts';
import { MAX_CHAT_FILES, MAX_MESSAGES } from '#lib/core/chat/chat-messages-schema.ts';
import { CHAT_ROLES, type ChatRole, ROLE_LABELS } from '#lib/core/chat/chat-roles.ts';
import { filesOf, isEmptyMessage, textOf } from '#lib/core/chat/message-content.ts';
import { FILE_TYPES, MAX_STORED_FILE_BYTES } from '#lib/files/schema.ts';
import { CaseFile } from './case-file.tsx';
import { useRowKeys, withMessage } from './message-list.ts';

type MessagesFieldProps = {
  messages: readonly ChatMessage[];
  onChange: (messages: ChatMessage[]) => void;
  /** Path of the messages in the request. */
  path?: string | undefined;
  /** Props of the first text: its id and error attributes. */
  first?: Pick<ComponentProps<'textarea'>, 'id' | 'aria-invalid' | 'aria-describedby'>;
};

/** Edits the messages of a case: their roles, texts and files. */
export function MessagesField({ messages, onChange, path, first }: MessagesFieldProps) {
  // A row keeps its upload when an earlier message is removed.
  const rows = useRowKeys(messages.length);
  const change = (index: number, message: ChatMessage) => onChange(withMessage(messages, index, message));
  const remove = (index: number) => {
    rows.remove(index);
    onChange(messages.toSpliced(index, 1));
  };
  // Empty messages are not sent.
  const sentAt = (index: number) => messages.slice(0, index).filter((one) => !isEmptyMessage(one)).length;
  const calls = messages.map(({ toolCalls = [] }) => toolCalls);
  return (
    <div className="flex flex-col gap-2">
      <ol className="flex flex-col gap-3" aria-label="Messages">
        {messages.map((message, index) => (
          <MessageRow
            key={rows.keys[index]}
            number={index + 1}
            message={message}
            path={path === undefined ? undefined : `${path}.${sentAt(index)}`}
            text={index === 0 ? first : undefined}
            canAttach={filesOf(messages).length < MAX_CHAT_FILES}
            earlierCalls={calls.slice(0, index).flat()}
            newCallId={newCallId(calls.flat())}
            onChange={(next) => change(index, next)}
            onRemove={messages.length > 1 ? () => remove(index) : null}
          />
        ))}
      </ol>
      <Button
        size="small"
        className="self-start"
        disabled={messages.length >= MAX_MESSAGES}
        onClick={() => onChange([...messages, { role: nextRole(messages), content: '' }])}
      >
        <Plus />
        Add message
      </Button>
    </div>
  );
}

type MessageRowProps = {
  number: number;
  message: ChatMessage;
  path: string | undefined;
  text: MessagesFieldProps['first'];
  canAttach: boolean;
  /** Tool calls of the preceding messages. */
  earlierCalls: readonly ToolCall[];
  newCallId: string;
  onChange: (message: ChatMessage) => void;
  /** Null if it is the only message. */
  onRemove: (() => void) | null;
};

function MessageRow(props: MessageRowProps) {
  const { number, message, path, text, canAttach, earlierCalls, newCallId, onChange, onRemove } = props;
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const [stored, setStored] = useState<ChatFile | null>(null);
  const problemId = useId();
  const files = filesOf([message]);

  async function attach(file: File) {
    if (file.size > MAX_STORED_FILE_BYTES) return setProblem(`${file.name} is larger than 10 MB. Make it smaller.`);
    setProblem(null);
    setSending(true);
    const sent = await callApi('POST /api/v1/files', {
      query: { name: file.name.slice(-200) },
      file: { type: 'application/octet-stream', content: file },
    });
    setSending(false);
    if (!sent.ok) return setProblem(sent.problem.message);
    const { id, mediaType, name } = sent.value;
    setStored({ type: 'file', file: id, mediaType, ...(name !== null && { name }) });
  }
  // The message may have been edited during the upload.
  useEffect(() => {
    if (stored === null) return;
    setStored(null);
    onChange(withFiles(message, [...filesOf([message]), stored]));
  }, [stored, message, onChange]);

  return (
    <li className="flex flex-col gap-1.5 border-line-strong border-l-2 pl-3">
      <div className="flex items-center gap-2">
        <Select
          aria-label={`Role of message ${number}`}
          className="w-32"
          size="small"
          value={message.role}
          onValue={(value) => onChange(withRole(message, value))}
        >
          <Options of={CHAT_ROLES.map((role) => [role, ROLE_LABELS[role]])} />
        </Select>
        {message.role === 'user' ? (
          <FileButton
            label={`File for message ${number}`}
            accept={FILE_TYPES.join(',')}
            onFile={attach}
            disabled={!canAttach || isSending}
            aria-describedby={problem === null ? undefined : problemId}
          >
            <Paperclip />
            {isSending ? 'Uploading' : 'Attach file'}
          </FileButton>
        ) : null}
        {onRemove === null ? null : (
          <IconButton icon={X} label={`Remove message ${number}`} className="ml-auto" onClick={onRemove} />
        )}
      </div>
      <Textarea
        {...text}
        rows={3}
        aria-label={`Text of message ${number}`}
        value={textOf(message)}
        onValue={(value) => onChange(withText(message, value))}
      />
      {withIndexKeys(files).map(([key, file]) => (
        <div key={key} className="flex items-start gap-2">
          <CaseFile file={file} />
          <IconButton
            icon={X}
            label={`Remove ${file.name ?? 'file'}`}
            onClick={() => onChange(withFiles(message, files.toSpliced(Number(key), 1)))}
          />
        </div>
      ))}
      {message.role === 'assistant' ? (
        <ToolCalls number={number} message={message} path={path} newId={newCallId} onChange={onChange} />
      ) : null}
      {message.role === 'tool' ? (
        <ToolResultSelect number={number} message={message} calls={earlierCalls} onChange={onChange} />
      ) : null}
      {problem === null ? null : <InlineError id={problemId}>{problem}</InlineError>}
    </li>
  );
}

type ToolCallsProps = Pick<MessageRowProps, 'number' | 'message' | 'path' | 'onChange'> & { newId: string };

/** Edits the tool calls of an assistant message. */
function ToolCalls({ number, message, path, newId, onChange }: ToolCallsProps) {
  const { toolCalls: calls = [] } = message;
  const pathOf = (index: number, field: keyof ToolCall) => path && `${path}.toolCalls.${index}.${field}`;
  const change = (next: readonly ToolCall[]) => {
    const { toolCalls: _, ...rest } = message;
    onChange(next.length === 0 ? rest : { ...rest, toolCalls: [...next] });
  };
  return (
    <>
      {calls.length === 0 ? null : (
        <ul className="flex flex-col gap-1.5" aria-label={`Tool calls of message ${number}`}>
          {withIndexKeys(calls).map(([key, call]) => {
            const index = Number(key);
            const edit = (changes: Partial<ToolCall>) => change(calls.with(index, { ...call, ...changes }));
            return (
              <li key={key} className="grid grid-cols-[minmax(0,1fr)_minmax(0,2fr)_max-content] items-start gap-2">
                <Field label={`Tool of call ${index + 1}`} hideLabel path={pathOf(index, 'tool')}>
                  <Input value={call.tool} onValue={(value) => edit({ tool: value })} />
                </Field>
                <Field label={`Arguments of call ${index + 1}`} hideLabel path={pathOf(index, 'arguments')}>
                  <Textarea isCode rows={1} value={call.arguments} onValue={(value) => edit({ arguments: value })} />
                </Field>
                <IconButton
                  icon={X}
                  label={`Remove call ${index + 1}`}
                  onClick={() => change(calls.toSpliced(index, 1))}
                />
              </li>
            );
          })}
        </ul>
      )}
      <Button
        size="small"
        variant="ghost"
        className="self-start"
        onClick={() => change([...calls, { id: newId, tool: '', arguments: '{}' }])}
      >
        <Wrench />
        Add tool call
      </Button>
    </>
  );
}

type ToolResultSelectProps = Pick<MessageRowProps, 'number' | 'message' | 'onChange'> & { calls: readonly ToolCall[] };

/** Selects the call that a tool message answers. Without earlier calls, edits the tool name. */
function ToolResultSelect({ number, message, calls, onChange }: ToolResultSelectProps) {
  const { tool = '', toolCallId } = message;
  const label = `Tool call answered by message ${number}`;
  if (calls.length === 0)
    return (
      <Input
        aria-label={label}
        placeholder="Tool name"
        value={tool}
        onValue={(value) => onChange({ ...message, tool: value })}
      />
    );
  // Ids can repeat. A result belongs to the latest call.
  const latest = [...new Map(calls.map((call) => [call.id, call])).values()];
  const isKnown = latest.some(({ id }) => id === toolCallId);
  return (
    <Select
      aria-label={label}
      size="small"
      className="self-start"
      value={isKnown ? toolCallId : ''}
      onValue={(value) => {
        const call = latest.find(({ id }) => id === value);
        if (call !== undefined) onChange({ ...message, tool: call.tool, toolCallId: call.id });
      }}
    >
      {isKnown ? null : <option value="">{tool === '' ? 'Choose a call' : tool}</option>}
      <Options of={latest.map((call) => [call.id, `${call.tool} ${call.arguments.slice(0, 40)}`])} />
    </Select>
  );
}

function newCallId(calls: readonly ToolCall[]): string {
  const usedIds = new Set(calls.map(({ id }) => id));
  let number = calls.length + 1;
  while (usedIds.has(`call-${number}`)) number += 1;
  return `call-${number}`;
}

function nextRole(messages: readonly ChatMessage[]): ChatRole {
  return messages.at(-1)?.role === 'user' ? 'assistant' : 'user';
}

/** Changes the role and drops fields and files the new role does not support. */
function withRole(message: ChatMessage, value: string): ChatMessage {
  const role = CHAT_ROLES.find((one) => one === value) ?? message.role;
  if (role === message.role) return message;
  return { role, content: role === 'user' ? message.content : textOf(message) };
}

/** Puts the text before the files. */
function withText(message: ChatMessage, text: string): ChatMessage {
  const files = filesOf([message]);
  return { ...message, content: files.length === 0 ? text : [{ type: 'text', text }, ...files] };
}

function withFiles(message: ChatMessage, files: readonly ChatFile[]): ChatMessage {
  const text = textOf(message);
  return { ...message, content: files.length === 0 ? text : [{ type: 'text', text }, ...files] };
}
