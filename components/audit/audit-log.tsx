'use client';

import { Cog, Download, KeyRound, Link2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import type { FormEvent } from 'react';
import { usePerson } from '#components/access/role-provider.tsx';
import { address } from '#components/layout/pager.tsx';
import { Avatar, initialsOf } from '#components/ui/avatar.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { useIsHydrating } from '#components/ui/hydration.ts';
import { TextLink } from '#components/ui/link.tsx';
import { LocalTime } from '#components/ui/local-time.tsx';
import { Options } from '#components/ui/options.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { ColumnHead, Table, TableHead } from '#components/ui/table.tsx';
import { AUDIT_GROUPS, type AuditGroup } from '#lib/audit/audit-groups.ts';
import type { AuditEntry, DayProblems } from '#lib/audit/schema.ts';
import { formatTitle, withLocalMoments } from '#lib/format.ts';
import { actLabel, changeLabel, GROUP_LABELS, subjectLabel } from './audit-labels.ts';

/** Renders audit entries with time, actor, act, subject and outcome. */
export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <Table scrollLabel="Audit log" isInset hasHover data-testid="audit">
      <TableHead>
        <ColumnHead className="max-narrow:min-w-26">When</ColumnHead>
        <ColumnHead>Who</ColumnHead>
        <ColumnHead>Action</ColumnHead>
        <ColumnHead className="max-narrow:hidden">Details</ColumnHead>
      </TableHead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td className="text-ink-2 text-sm max-narrow:[&_time]:whitespace-normal">
              <LocalTime moment={entry.at} />
            </td>
            <td className="text-sm">
              <EntryActor entry={entry} />
            </td>
            <td className="text-sm max-narrow:pr-4">
              <EntrySummary entry={entry} />
              <span className="narrow:hidden">
                <span className="block text-ink-2">
                  <Change entry={entry} />
                </span>
              </span>
            </td>
            <td className="text-sm max-narrow:hidden">
              <Change entry={entry} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function EntryActor({ entry: { actorId, actor, via, role, address } }: { entry: AuditEntry }) {
  const isSelf = usePerson().id === actorId;
  const from = address === null ? '' : `, from ${address}`;
  return (
    <span className="flex items-center gap-2" title={`${role}${from}`}>
      {via === 'token' ? (
        <KeyRound />
      ) : via === 'link' ? (
        <Link2 />
      ) : via === 'system' ? (
        <Cog />
      ) : (
        <Avatar className="max-narrow:hidden">{initialsOf(actor)}</Avatar>
      )}
      <span className="wrap-break-word">{isSelf ? 'You' : actor}</span>
    </span>
  );
}

function EntrySummary({ entry }: { entry: AuditEntry }) {
  const { kind, name, href } = subjectLabel(entry);
  const title = formatTitle(name, 90);
  return (
    <span className="wrap-anywhere">
      <b className={entry.outcome === 'refused' ? 'font-medium text-worse' : 'font-medium'}>
        {entry.outcome === 'refused' ? '✕ ' : ''}
        {actLabel(entry)}
      </b>{' '}
      {href === null || entry.act === 'deleted' ? (
        `${kind} ${title}`
      ) : (
        <>
          {title === '' ? null : `${kind} `}
          <TextLink href={href}>{title || kind}</TextLink>
        </>
      )}
    </span>
  );
}

function Change({ entry }: { entry: AuditEntry }) {
  const { before, after, rest } = changeLabel(entry.change);
  const isHydrating = useIsHydrating();
  const details = rest.join(' · ');
  return (
    <span className="wrap-anywhere">
      {before === null ? null : (
        <>
          <del className="text-ink-2">{before}</del> → <b className="font-medium">{after}</b>
          {rest.length > 0 ? ' · ' : ''}
        </>
      )}
      {isHydrating ? details : withLocalMoments(details)}
    </span>
  );
}

type AuditFilterParams = { group: AuditGroup | null; actor: string | null; from: string | null; to: string | null };

type AuditFiltersProps = {
  shown: AuditFilterParams;
  actors: readonly { id: string; name: string }[];
  problems: DayProblems | null;
  /** Download URL of the filtered entries. Null if there are none. */
  file: string | null;
};

const NO_PROBLEMS: DayProblems = { from: null, to: null };

/** Renders the filters of the audit log and the download of the filtered entries. */
export function AuditFilters({ shown, actors, problems, file }: AuditFiltersProps) {
  const router = useRouter();
  const go = (change: Partial<AuditFilterParams>) => router.push(address('/settings/audit', { ...shown, ...change }));
  return (
    <Pane className="flex flex-wrap items-end gap-2 py-3">
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
        onValue={(value) => go({ actor: value === '' ? null : value })}
      >
        <option value="">Anyone</option>
        <Options of={actors.map(({ id, name }) => [id, name])} />
      </Select>
      <AuditDays from={shown.from} to={shown.to} problems={problems ?? NO_PROBLEMS} show={go} />
      <span className="mb-1.5 text-ink-3 text-sm max-narrow:hidden">Entries cannot be changed or deleted.</span>
      {file === null ? null : (
        <span className="ml-auto">
          <Button asChild variant="ghost" size="small">
            <a href={file} download>
              <Download />
              Export JSONL
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

/** Selects the first and last day shown, in UTC like the times of the log. */
function AuditDays({ from, to, problems, show }: AuditDaysProps) {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    show({ from: dayOf(form.get('from')), to: dayOf(form.get('to')) });
  };
  return (
    <form className="flex flex-wrap items-start gap-2" onSubmit={send} noValidate aria-label="Days">
      <Field label="From (UTC)" error={problems.from}>
        <Input type="date" name="from" defaultValue={from ?? ''} />
      </Field>
      <Field label="To (UTC)" error={problems.to}>
        <Input type="date" name="to" defaultValue={to ?? ''} />
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
