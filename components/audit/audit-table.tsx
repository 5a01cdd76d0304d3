'use client';

import { Cog, KeyRound, Link2 } from 'lucide-react';
import Link from 'next/link';
import { initialsOf } from '#components/team/initials-of.ts';
import { usePerson } from '#components/team/role-provider.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { formatMoment, formatTitle } from '#lib/format.ts';
import type { AuditEntry } from '#lib/reflection/audit-entry.ts';
import { actWords, changeWords, subjectWords } from './audit-words.ts';

/** Lines of the audit log: when, who, what of what, and what it came to. */
export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <ScrollX label="Audit log">
      <table className="t hover edge" data-testid="audit">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">Did what</th>
            <th scope="col" className="opt">
              Change or result
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td className="sm muted">
                <time dateTime={entry.at}>{formatMoment(entry.at)}</time>
              </td>
              <td className="sm">
                <WhoDid entry={entry} />
              </td>
              <td className="sm rp">
                <DidWhat entry={entry} />
                <span className="narrow-only">
                  <span className="muted block">
                    <Change entry={entry} />
                  </span>
                </span>
              </td>
              <td className="sm opt">
                <Change entry={entry} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}

function WhoDid({ entry: { actorId, actor, via, role, address } }: { entry: AuditEntry }) {
  const isSelf = usePerson().id === actorId;
  const from = address === null ? '' : `, from ${address}`;
  return (
    <span className="row" title={`${role}${from}`}>
      {via === 'token' ? (
        <KeyRound className="i s" aria-hidden />
      ) : via === 'link' ? (
        <Link2 className="i s" aria-hidden />
      ) : via === 'system' ? (
        <Cog className="i s" aria-hidden />
      ) : (
        <span className="av wide-only" aria-hidden>
          {initialsOf(actor)}
        </span>
      )}
      <span className="wrap-break-word">{isSelf ? 'You' : actor}</span>
    </span>
  );
}

function DidWhat({ entry }: { entry: AuditEntry }) {
  const { kind, name, href } = subjectWords(entry);
  const title = formatTitle(name, 90);
  return (
    <span className="wrap-anywhere">
      <b className={`md5 ${entry.outcome === 'refused' ? 'worse' : ''}`}>
        {entry.outcome === 'refused' ? '✕ ' : ''}
        {actWords(entry)}
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
  const { before, after, rest } = changeWords(entry.change);
  return (
    <span className="wrap-anywhere">
      {before === null ? null : (
        <>
          <del className="muted">{before}</del> → <b className="md5">{after}</b>
          {rest.length > 0 ? ', ' : ''}
        </>
      )}
      {rest.join(', ')}
    </span>
  );
}
