'use client';

import { Plus, X } from 'lucide-react';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { nextKey } from './parse-entries.ts';

/** A header as entered. `key` identifies its row. */
export type HeaderDraft = { key: number; name: string; value: string };

type HeaderFieldsProps = {
  headers: readonly HeaderDraft[];
  errorOf: (header: string) => string | null;
  onChange: (headers: HeaderDraft[]) => void;
};

/** Inputs for the headers sent with every request, one per row. Their values are write-only. */
export function HeaderFields({ headers, errorOf, onChange }: HeaderFieldsProps) {
  const change = (at: number, part: Partial<HeaderDraft>) =>
    onChange(headers.map((header, index) => (index === at ? { ...header, ...part } : header)));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 font-medium">Headers</legend>
      {headers.map((header, at) => (
        <div key={header.key} className="flex items-end gap-2">
          <Field label="Header" className="min-w-0 flex-1" hideLabel={at > 0} error={errorOf(header.name.trim())}>
            <Input value={header.name} placeholder="Authorization" onValue={(value) => change(at, { name: value })} />
          </Field>
          <Field label="Value" className="min-w-0 flex-1" hideLabel={at > 0}>
            <Input
              type="password"
              value={header.value}
              placeholder="Bearer …"
              onValue={(text) => change(at, { value: text })}
            />
          </Field>
          <IconButton
            icon={X}
            label={`Remove header ${at + 1}`}
            size="small"
            onClick={() => onChange(headers.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" onClick={() => onChange([...headers, { key: nextKey(headers), name: '', value: '' }])}>
          <Plus />
          {headers.length === 0 ? 'Add header' : 'Add another header'}
        </Button>
        <span className="text-ink-2 text-sm">Stored encrypted. Only the last four characters are shown again.</span>
      </div>
    </fieldset>
  );
}

/** Converts the entered headers to API input, which refuses a value without a name. Empty rows are omitted. */
export function headersOf(drafts: readonly HeaderDraft[]): Record<string, string> {
  return Object.fromEntries(
    drafts.map(({ name, value }) => [name.trim(), value] as const).filter(([name, value]) => name + value !== ''),
  );
}

type StoredHeaderFieldsProps = Omit<HeaderFieldsProps, 'headers'> & {
  /** Stored headers without their values. */
  stored: readonly { name: string; lastFour: string | null }[];
  /** Replacement headers. Null keeps the stored ones. */
  headers: HeaderDraft[] | null;
  onChange: (headers: HeaderDraft[] | null) => void;
};

/** Stored headers. They can only be replaced as a whole, because their values cannot be read. */
export function StoredHeaderFields({ stored, headers, errorOf, onChange }: StoredHeaderFieldsProps) {
  const hasStored = stored.length > 0;
  if (headers === null)
    return (
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span className="wrap-anywhere text-ink-2">{headerLabel(stored)}</span>
        <Button size="small" onClick={() => onChange([{ key: 0, name: '', value: '' }])}>
          {hasStored ? 'Replace headers' : 'Add headers'}
        </Button>
      </div>
    );
  return (
    <div className="flex flex-col gap-2">
      <HeaderFields headers={headers} errorOf={errorOf} onChange={onChange} />
      {hasStored ? (
        <div className="flex flex-wrap items-center gap-2 text-sm">
          <span className="text-ink-2">They replace all stored headers.</span>
          <Button size="small" variant="ghost" onClick={() => onChange(null)}>
            Keep stored headers
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function headerLabel(stored: StoredHeaderFieldsProps['stored']): string {
  if (stored.length === 0) return 'No headers are sent.';
  const shown = stored.map(({ name, lastFour }) => (lastFour === null ? name : `${name}, ends in ${lastFour}`));
  return `Sent with every request: ${shown.join('; ')}.`;
}
