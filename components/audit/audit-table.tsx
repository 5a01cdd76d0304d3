'use client';

import { Cog, KeyRound, Link2 } from 'lucide-react';
import { usePerson } from '#components/access/role-provider.tsx';
import { initialsOf } from '#components/layout/who.tsx';
import { Avatar } from '#components/ui/avatar.tsx';
import { Link } from '#components/ui/link.tsx';
import { LocalTime } from '#components/ui/local-time.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { Table } from '#components/ui/table.tsx';
import type { AuditEntry } from '#lib/audit/schema.ts';
import { formatTitle } from '#lib/format.ts';
import { actLabel, changeLabel, subjectLabel } from './audit-labels.ts';

/** Lines of the audit log: when, who, what of what, and what it came to. */
export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <ScrollX label="Audit log">
      <Table isInset hasHover data-testid="audit">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">Action</th>
            <th scope="col" className="max-narrow:hidden">
              Details
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td className="text-ink-2 text-sm">
                <LocalTime moment={entry.at} />
              </td>
              <td className="text-sm">
                <WhoDid entry={entry} />
              </td>
              <td className="text-sm max-narrow:pr-4">
                <DidWhat entry={entry} />
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
    </ScrollX>
  );
}

function WhoDid({ entry: { actorId, actor, via, role, address } }: { entry: AuditEntry }) {
  const isSelf = usePerson().id === actorId;
  const from = address === null ? '' : `, from ${address}`;
  return (
    <span className="flex items-center gap-2" title={`${role}${from}`}>
      {via === 'token' ? (
        <KeyRound className="size-3.25" aria-hidden />
      ) : via === 'link' ? (
        <Link2 className="size-3.25" aria-hidden />
      ) : via === 'system' ? (
        <Cog className="size-3.25" aria-hidden />
      ) : (
        <Avatar className="max-narrow:hidden">{initialsOf(actor)}</Avatar>
      )}
      <span className="wrap-break-word">{isSelf ? 'You' : actor}</span>
    </span>
  );
}

function DidWhat({ entry }: { entry: AuditEntry }) {
  const { kind, name, href } = subjectLabel(entry);
  const title = formatTitle(name, 90);
  return (
    <span className="wrap-anywhere">
      <b className={entry.outcome === 'refused' ? 'font-medium text-worse' : 'font-medium'}>
        {entry.outcome === 'refused' ? '✕ ' : ''}
        {actLabel(entry)}
      </b>{' '}
      {kind}{' '}
      {href === null || entry.act === 'deleted' ? (
        title
      ) : (
        <Link className="link" href={href}>
          {title || 'open'}
        </Link>
      )}
    </span>
  );
}

function Change({ entry }: { entry: AuditEntry }) {
  const { before, after, rest } = changeLabel(entry.change);
  return (
    <span className="wrap-anywhere">
      {before === null ? null : (
        <>
          <del className="text-ink-2">{before}</del> → <b className="font-medium">{after}</b>
          {rest.length > 0 ? ', ' : ''}
        </>
      )}
      {rest.join(', ')}
    </span>
  );
}
