'use client';

import { Plus, X } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Textarea } from '#components/ui/field.tsx';
import { fail, type Result, succeed } from '#lib/core/problem.ts';

/** A component as it is entered; `key` tells rows apart. */
export type ComponentDraft = { key: number; name: string; text: string };

type ComponentRowsProps = {
  components: readonly ComponentDraft[];
  onChange: (components: ComponentDraft[]) => void;
};

/** The texts of an app that Hone may change, each with its name. */
export function ComponentRows({ components, onChange }: ComponentRowsProps) {
  const change = (at: number, part: Partial<ComponentDraft>) =>
    onChange(components.map((component, place) => (place === at ? { ...component, ...part } : component)));
  const nextKey = Math.max(0, ...components.map(({ key }) => key)) + 1;
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-medium">Components</legend>
      <p className="text-ink-2 text-sm">Texts that Hone may change, such as a system prompt.</p>
      {components.map(({ key, name, text }, at) => (
        <div key={key} className="flex flex-col gap-2 border-line border-l-2 pl-3">
          <div className="flex items-end gap-2">
            <Field label="Component" className="min-w-0 flex-1" path={`components.${name.trim()}`}>
              <Input
                value={name}
                placeholder="system_prompt"
                onChange={(event) => change(at, { name: event.target.value })}
              />
            </Field>
            <Button
              size="small"
              variant="ghost"
              aria-label={`Remove component ${at + 1}`}
              onClick={() => onChange(components.filter((_, place) => place !== at))}
            >
              <X className="size-3.25" aria-hidden />
            </Button>
          </div>
          <Field label="Text" path={`components.${name.trim()}.text`}>
            <Textarea rows={3} value={text} onChange={(event) => change(at, { text: event.target.value })} />
          </Field>
        </div>
      ))}
      <div>
        <Button size="small" onClick={() => onChange([...components, { key: nextKey, name: '', text: '' }])}>
          <Plus className="size-3.25" aria-hidden />
          {components.length === 0 ? 'Add component' : 'Add another component'}
        </Button>
      </div>
    </fieldset>
  );
}

/** Converts the rows to API input. Empty rows are omitted. */
export function componentsOf(drafts: readonly ComponentDraft[]): Result<Record<string, { text: string }>> {
  const components = new Map<string, { text: string }>();
  for (const { name: typed, text } of drafts) {
    const name = typed.trim();
    if (name === '' && text.trim() === '') continue;
    if (name === '') return fail('invalid', 'must not be empty', 'components.');
    if (components.has(name)) return fail('invalid', 'must be unique', `components.${name}`);
    components.set(name, { text });
  }
  return succeed(Object.fromEntries(components));
}
