'use client';

import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';

type ItemsEditorProps = {
  /** Label of the list. Items are labelled with it and their number: `Item`. */
  label: string;
  help: string;
  example: string;
  items: readonly string[];
  /** Error of the list as a whole. */
  error: string | null;
  errorOf: (index: number) => string | null;
  onChange: (items: string[]) => void;
};

/** Edits a list of one-line texts. Enter adds an item below, pasted lines become items, and arrow keys move an item. */
export function ItemsEditor({ label, help, example, items, error, errorOf, onChange }: ItemsEditorProps) {
  const list = useRef<HTMLOListElement>(null);
  const [focused, setFocused] = useState<{ index: number } | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const shown = items.length === 0 ? [''] : items;

  useEffect(() => {
    if (focused !== null) list.current?.querySelectorAll<HTMLInputElement>('input')[focused.index]?.focus();
  }, [focused]);

  function update(next: string[], focusAt: number, announcement: string) {
    onChange(next);
    setFocused({ index: Math.max(0, Math.min(focusAt, next.length - 1)) });
    setAnnouncement(announcement);
  }
  function change(index: number, text: string) {
    const lines = text.split(/\r?\n/);
    const next = shown.toSpliced(index, 1, ...lines);
    if (lines.length > 1) update(next, index + lines.length - 1, `${lines.length} items inserted`);
    else onChange(next);
  }
  const add = (at: number) => update(shown.toSpliced(at, 0, ''), at, `${label} ${at + 1} added`);
  const remove = (index: number) => update(shown.toSpliced(index, 1), index, `${label} ${index + 1} removed`);
  const move = (from: number, to: number) => update(moveItem(shown, from, to), to, `Moved to position ${to + 1}`);

  return (
    <fieldset className="flex flex-col gap-2" aria-label={`${label}s`}>
      <span className="font-medium text-ink text-sm">{label}s</span>
      <ol ref={list} className="flex flex-col gap-1.5">
        {shown.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item has only a text and a position
          <li key={index} className="grid grid-cols-[1.25rem_minmax(0,1fr)_max-content] items-start gap-2">
            <span className="flex min-h-7.5 items-center text-ink-3 text-sm tabular-nums" aria-hidden>
              {index + 1}
            </span>
            <Field label={`${label} ${index + 1}`} hideLabel error={errorOf(index)}>
              <Input
                value={item}
                placeholder={index === 0 ? example : undefined}
                onValue={(value) => change(index, value)}
                onPaste={(event) => {
                  const pasted = event.clipboardData.getData('text').trim();
                  if (!pasted.includes('\n')) return;
                  event.preventDefault();
                  change(index, item + pasted);
                }}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
                  event.preventDefault();
                  add(index + 1);
                }}
              />
            </Field>
            <div className="flex min-h-7.5 items-center gap-0.5 [&>button]:inactive:border-transparent [&>button]:inactive:bg-transparent [&>button]:inactive:opacity-50">
              <IconButton
                icon={ArrowUp}
                label={`Move ${label.toLowerCase()} ${index + 1} up`}
                disabled={index === 0}
                onClick={() => move(index, index - 1)}
              />
              <IconButton
                icon={ArrowDown}
                label={`Move ${label.toLowerCase()} ${index + 1} down`}
                disabled={index === shown.length - 1}
                onClick={() => move(index, index + 1)}
              />
              <IconButton
                icon={X}
                label={`Remove ${label.toLowerCase()} ${index + 1}`}
                disabled={shown.length === 1 && item === ''}
                onClick={() => remove(index)}
              />
            </div>
          </li>
        ))}
      </ol>
      {error ? <InlineError>{error}</InlineError> : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" onClick={() => add(shown.length)}>
          <Plus />
          Add {label.toLowerCase()}
        </Button>
        <span className="text-ink-3 text-sm">{help}</span>
        <span className="sr-only" role="status">
          {announcement}
        </span>
      </div>
    </fieldset>
  );
}

/** Returns the list with one item moved. Unchanged if an index is out of range. */
export function moveItem<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const item = items[from];
  if (item === undefined || to < 0 || to >= items.length) return [...items];
  return items.toSpliced(from, 1).toSpliced(to, 0, item);
}
