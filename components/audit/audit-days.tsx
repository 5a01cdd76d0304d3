'use client';

import type { FormEvent } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import type { DayProblems } from '#lib/reflection/day-range.ts';

type AuditDaysProps = {
  from: string | null;
  to: string | null;
  problems: DayProblems;
  show: (days: { from: string | null; to: string | null }) => void;
};

/** The first and the last day, by UTC as the times of the log are, whose lines are shown. */
export function AuditDays({ from, to, problems, show }: AuditDaysProps) {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    show({ from: dayOf(form.get('from')), to: dayOf(form.get('to')) });
  };
  return (
    <form className="flex flex-wrap items-start gap-2" onSubmit={send} noValidate aria-label="Days">
      <Field label="First day, UTC" error={problems.from}>
        <Input key={from} type="date" name="from" defaultValue={from ?? ''} />
      </Field>
      <Field label="Last day, UTC" error={problems.to}>
        <Input key={to} type="date" name="to" defaultValue={to ?? ''} />
      </Field>
      <span className="flex items-center gap-2 self-end">
        <Button type="submit" size="small">
          Show these days
        </Button>
        {from === null && to === null ? null : (
          <Button variant="ghost" size="small" onClick={() => show({ from: null, to: null })}>
            All days
          </Button>
        )}
      </span>
    </form>
  );
}

function dayOf(value: FormDataEntryValue | null): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
