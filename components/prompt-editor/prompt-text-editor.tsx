'use client';

import { ArrowDown, ArrowUp, MessagesSquare, Plus, TextCursorInput, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '#components/ui/button.tsx';
import { CodeEditor } from '#components/ui/code-editor.tsx';
import { Field, Select } from '#components/ui/field.tsx';
import { Options } from '#components/ui/options.tsx';
import { nextKey } from '#components/ui/parse-entries.ts';
import {
  chatPromptProblems,
  messagesOfPrompt,
  PROMPT_ROLES,
  type PromptMessage,
  type PromptRole,
  promptOfMessages,
} from '#lib/core/chat/chat-prompt.ts';
import { ROLE_LABELS } from '#lib/core/chat/chat-roles.ts';
import { templateVariables } from '#lib/core/prompts/judge-texts.ts';

type PromptTextEditorProps = {
  value: string;
  onChange: (text: string) => void;
  children: ReactNode;
};

/** Edits a prompt as one text or as messages with roles. It is stored as one text, in which marker lines name the roles. */
export function PromptTextEditor({ value, onChange, children }: PromptTextEditorProps) {
  const [isText, setText] = useState(false);
  const [seen, setSeen] = useState(value);
  const [rows, setRows] = useState(() => toRows(value));
  if (value !== seen) {
    setSeen(value);
    setRows(toRows(value));
  }
  const isChat = messagesOfPrompt(value) !== null;
  function change(next: MessageRow[]) {
    const text = fromRows(next);
    setSeen(text);
    setRows(next);
    onChange(text);
  }
  function useMessages() {
    setText(false);
    if (isChat) return;
    const text = asMessages(value);
    setSeen(text);
    setRows(toRows(text));
    onChange(text);
  }
  const problems = chatPromptProblems(value);
  return (
    <div data-testid="prompt-text">
      {isChat && !isText ? <Messages rows={rows} onChange={change} /> : children}
      <div className="mt-2 flex flex-wrap gap-2">
        {isChat && !isText ? (
          <>
            <Button size="small" onClick={() => change(withMessage(rows))}>
              <Plus />
              Add message
            </Button>
            {rows.some(({ role }) => role === 'history') ? null : (
              <Button
                size="small"
                title="Marks the place for the messages of the case."
                onClick={() => change(withHistory(rows))}
              >
                <Plus />
                Insert {'{{history}}'}
              </Button>
            )}
            <Button size="small" variant="ghost" onClick={() => setText(true)}>
              <TextCursorInput />
              Use one text
            </Button>
          </>
        ) : (
          <Button size="small" variant="ghost" onClick={useMessages}>
            <MessagesSquare />
            Use messages
          </Button>
        )}
      </div>
      {problems.length === 0 ? null : (
        <ul className="mt-1 text-sm text-wait" aria-label="Problems of the messages">
          {problems.map(({ message, remedy }) => (
            <li key={message}>
              {message.charAt(0).toUpperCase() + message.slice(1)}. {remedy}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Messages({ rows, onChange }: { rows: readonly MessageRow[]; onChange: (rows: MessageRow[]) => void }) {
  const list = useRef<HTMLOListElement>(null);
  const [moved, setMoved] = useState<{ key: number; by: -1 | 1 } | null>(null);
  // The clicked button moves with its message and loses focus.
  useEffect(() => {
    if (moved === null) return;
    const buttons = [
      ...(list.current?.querySelectorAll<HTMLButtonElement>(`[data-row="${moved.key}"] [data-by]`) ?? []),
    ];
    const same = buttons.find((button) => button.dataset.by === String(moved.by));
    (same?.disabled === false ? same : buttons.find(({ disabled }) => !disabled))?.focus();
  }, [moved]);
  function move(index: number, by: -1 | 1) {
    const row = rows[index];
    if (row === undefined) return;
    onChange(withMoved(rows, index, by));
    setMoved({ key: row.key, by });
  }
  const replace = (index: number, row: MessageRow) => onChange(rows.map((one, at) => (at === index ? row : one)));
  return (
    <ol ref={list} className="flex flex-col gap-2" aria-label="Messages">
      {rows.map((row, index) => {
        const name = `message ${index + 1}`;
        return (
          <li key={row.key} data-row={row.key} className="min-w-0 rounded-2 border border-line p-2">
            <div className="mb-1 flex flex-wrap items-center gap-1">
              {row.role === 'history' ? (
                <span className="text-ink-2 text-sm">
                  <code>{'{{history}}'}</code> The messages of the case
                </span>
              ) : (
                <Field label={`Role of ${name}`} hideLabel>
                  <Select
                    className="w-auto"
                    value={row.role}
                    onValue={(value) => {
                      const role = PROMPT_ROLES.find((one) => one === value);
                      if (role !== undefined) replace(index, { ...row, role });
                    }}
                  >
                    <Options of={PROMPT_ROLES.map((role) => [role, ROLE_LABELS[role]])} />
                  </Select>
                </Field>
              )}
              <span className="ml-auto flex">
                <IconButton
                  icon={ArrowUp}
                  label={`Move ${name} up`}
                  data-by="-1"
                  disabled={index === 0}
                  onClick={() => move(index, -1)}
                />
                <IconButton
                  icon={ArrowDown}
                  label={`Move ${name} down`}
                  data-by="1"
                  disabled={index === rows.length - 1}
                  onClick={() => move(index, 1)}
                />
                <IconButton
                  icon={X}
                  label={`Remove ${name}`}
                  onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
                />
              </span>
            </div>
            {row.role === 'history' ? null : (
              <Field label={`Text of ${name}`} hideLabel>
                <CodeEditor value={row.text} language="prompt" onChange={(text) => replace(index, { ...row, text })} />
              </Field>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** Message in the editor. `key`: unique within the list. */
type MessageRow = { key: number } & PromptMessage;

/** Converts the messages of a prompt to rows. */
export function toRows(prompt: string): MessageRow[] {
  return (messagesOfPrompt(prompt) ?? []).map((message, key) => ({ ...message, key }));
}

/** Converts rows to a prompt. */
export function fromRows(rows: readonly MessageRow[]): string {
  return promptOfMessages(rows.map(({ key: _, ...message }) => message));
}

/** Converts a plain prompt to messages. Text without the input becomes a system message, followed by a message with the input. */
export function asMessages(prompt: string): string {
  const text = prompt.trim();
  const isAsked = templateVariables(text).some(({ name }) => name === 'input' || name.startsWith('input.'));
  if (isAsked) return promptOfMessages([{ role: 'user', text }]);
  const question = { role: 'user' as const, text: '{{input}}' };
  return promptOfMessages(text === '' ? [question] : [{ role: 'system', text }, question]);
}

/** Appends an empty message: an assistant message after a user message, otherwise a user message. The first one is a system message. */
export function withMessage(rows: readonly MessageRow[]): MessageRow[] {
  const last = rows.at(-1);
  const role: PromptRole = last === undefined ? 'system' : last.role === 'user' ? 'assistant' : 'user';
  return [...rows, { key: nextKey(rows), role, text: '' }];
}

/** Inserts the messages of the case before the last message, which contains the question. */
export function withHistory(rows: readonly MessageRow[]): MessageRow[] {
  const at = Math.max(
    rows.findLastIndex(({ role }) => role === 'user'),
    0,
  );
  return rows.toSpliced(at, 0, { key: nextKey(rows), role: 'history' });
}

/** Returns the rows with one row moved by one position. */
export function withMoved(rows: readonly MessageRow[], index: number, by: -1 | 1): MessageRow[] {
  const row = rows[index];
  return row === undefined ? [...rows] : rows.toSpliced(index, 1).toSpliced(index + by, 0, row);
}
