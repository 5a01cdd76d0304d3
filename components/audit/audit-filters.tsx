'use client';

import { Download } from 'lucide-react';
import { useRouter } from 'next/navigation';
import type { FormEvent } from 'react';
import { address } from '#components/layout/pager.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { AUDIT_GROUPS, type AuditGroup, type DayProblems } from '#lib/audit/schema.ts';
import { GROUP_LABELS } from './audit-labels.ts';

/** As it stands in the page's address. */
type AuditAddress = { group: AuditGroup | null; actor: string | null; from: string | null; to: string | null };

type AuditFiltersProps = {
  shown: AuditAddress;
  actors: readonly { id: string; name: string }[];
  /** Null: the days can be read. */
  problems: DayProblems | null;
  /** Where the same lines are to be had as a file; null where there are none to be shown. */
  file: string | null;
};

const NO_PROBLEMS: DayProblems = { from: null, to: null };

/** Which part of the log is shown, and the same part as a file. */
export function AuditFilters({ shown, actors, problems, file }: AuditFiltersProps) {
  const router = useRouter();
  const go = (change: Partial<AuditAddress>) => router.push(address('/settings/audit', { ...shown, ...change }));
  return (
    <Pane className="flex flex-wrap items-center gap-2 py-3">
      <Segmented
        label="Action"
        className="max-w-full overflow-x-auto"
        value={shown.group ?? 'all'}
        onChange={(value) => go({ group: value === 'all' ? null : value })}
        choices={[
          { value: 'all', label: 'All' },
          ...AUDIT_GROUPS.map((one) => ({ value: one, label: GROUP_LABELS[one] })),
        ]}
      />
      <Select
        aria-label="Who"
        size="small"
        className="pointer-coarse:min-h-10"
        value={shown.actor ?? ''}
        onChange={({ target: { value } }) => go({ actor: value === '' ? null : value })}
      >
        <option value="">Anyone</option>
        {actors.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <AuditDays from={shown.from} to={shown.to} problems={problems ?? NO_PROBLEMS} show={go} />
      <span className="max-narrow:hidden">Entries cannot be changed or deleted.</span>
      {file === null ? null : (
        <span className="ml-auto">
          <Button asChild variant="ghost" size="small">
            <a href={file} download>
              <Download className="size-3.25" aria-hidden />
              <span>
                <span className="sr-only">These lines as </span>JSONL
              </span>
            </a>
          </Button>
        </span>
      )}
    </Pane>
  );
}

type AuditDaysProps = {
  from: string | null;
  to: string | null;
  problems: DayProblems;
  show: (days: { from: string | null; to: string | null }) => void;
};

/** The first and the last day, by UTC as the times of the log are, whose lines are shown. */
function AuditDays({ from, to, problems, show }: AuditDaysProps) {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    show({ from: dayOf(form.get('from')), to: dayOf(form.get('to')) });
  };
  return (
    <form className="flex flex-wrap items-start gap-2" onSubmit={send} noValidate aria-label="Days">
      <Field label="From (UTC)" error={problems.from}>
        <Input key={from} type="date" name="from" defaultValue={from ?? ''} />
      </Field>
      <Field label="To (UTC)" error={problems.to}>
        <Input key={to} type="date" name="to" defaultValue={to ?? ''} />
      </Field>
      <span className="flex items-center gap-2 self-end">
        <Button type="submit" size="small">
          Apply
        </Button>
        {from === null && to === null ? null : (
          <Button variant="ghost" size="small" onClick={() => show({ from: null, to: null })}>
            Clear dates
          </Button>
        )}
      </span>
    </form>
  );
}

function dayOf(value: FormDataEntryValue | null): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
