'use client';

import { Archive, Download } from 'lucide-react';
import { DeleteButton } from '#components/access/delete-button.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { Button } from '#components/ui/button.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { TimeAgo } from '#components/ui/local-time.tsx';
import { Pane, PaneHeader, PaneNote } from '#components/ui/pane.tsx';
import { ColumnHead, NumberCell, NumberHead, Table, TableHead } from '#components/ui/table.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { BackupReason, Backups, StoredBackup } from '#lib/backups/schema.ts';
import type { Problem } from '#lib/core/problem.ts';
import { formatBytes } from '#lib/format.ts';

type BackupPartProps = {
  backups: Backups;
  /** Source of the secret that decrypts the stored keys. */
  secretFrom: string;
};

/** Lists the backups, creates new ones and explains how to restore one. */
export function BackupPart({ backups, secretFrom }: BackupPartProps) {
  const toast = useToast();
  const { isBusy, problem, submit } = useSubmit('Hone did not respond. Reload the page to check.', {
    refreshes: 'always',
  });
  const isUnderWay = isBusy || backups.makingSince !== null;

  function make() {
    submit(submitApi('POST /api/v1/backups'), ({ makingSince }) =>
      toast(makingSince === null ? 'Backup created' : 'Backup started'),
    );
  }

  return (
    <Columns className="medium:grid-cols-[minmax(0,1fr)_25rem]" aria-labelledby="backups">
      <div className="min-w-0">
        <Pane className="border-b-0">
          <PaneHeader titleId="backups" title="Backups">
            <Button className="ml-auto" variant="primary" disabled={isUnderWay} onClick={make}>
              <Archive />
              {isUnderWay ? 'Creating backup' : 'Create backup'}
            </Button>
          </PaneHeader>
          {backups.makingSince === null ? null : (
            <p className="text-ink-2 text-sm" role="status">
              Backup in progress, started <TimeAgo moment={backups.makingSince} />. Runs continue.
            </p>
          )}
          <Failure problem={problem} failure={backups.failure} />
        </Pane>
        {backups.items.length === 0 ? (
          <PaneNote>No backups yet. Hone also creates one before each migration.</PaneNote>
        ) : (
          <BackupTable backups={backups.items} />
        )}
      </div>
      <div className="min-w-0">
        <Pane className="flex flex-col gap-3 border-b-0">
          <h3>Contents</h3>
          <p className="text-ink-2 text-sm">
            A backup is one file with all tables at one point in time. It contains texts and the hashes of passwords and
            API tokens, so protect it like the database. It does not contain sessions and open links.
          </p>
          <p className="text-ink-2 text-sm">
            A backup does not contain the secret that encrypts the keys of providers and webhooks and signs backups.
            Keep a copy in another place: {secretFrom}.
          </p>
          <p className="text-ink-2 text-sm">
            Backups are stored in <code className="wrap-anywhere">{backups.folder}</code>. Copy them to another machine.
          </p>
          <h3>Restore</h3>
          <p className="text-ink-2 text-sm">Stop all Hone processes. Restore into an empty database:</p>
          <pre className="code wrap-anywhere whitespace-pre-wrap text-sm">npm run restore -- file.backup</pre>
          <p className="text-ink-2 text-sm">
            <code className="whitespace-nowrap">--replace</code> backs up and replaces the current data. Active runs
            then continue, and all members sign in again. Use <code className="whitespace-nowrap">--foreign</code> for a
            backup that another installation signed. Hone refuses modified backups.
          </p>
        </Pane>
      </div>
    </Columns>
  );
}

function Failure({ problem, failure }: { problem: Problem | null; failure: Backups['failure'] }) {
  if (problem !== null) return <InlineError>{problem.message}</InlineError>;
  if (failure === null) return null;
  return (
    <InlineError>
      <TimeAgo moment={failure.at} />: {failure.message}
    </InlineError>
  );
}

const REASONS: Record<BackupReason, string> = {
  asked: 'manual',
  scheduled: 'scheduled',
  migration: 'before a migration',
  restore: 'before a restore',
  upgrade: 'before an upgrade of PostgreSQL',
};

function BackupTable({ backups }: { backups: StoredBackup[] }) {
  return (
    <Table scrollLabel="Backups" isInset data-testid="backups">
      <TableHead>
        <ColumnHead>Created</ColumnHead>
        <ColumnHead className="max-narrow:hidden">Reason</ColumnHead>
        <NumberHead>Size</NumberHead>
        <ColumnHead hideLabel>Download or delete</ColumnHead>
      </TableHead>
      <tbody>
        {backups.map(({ name, reason, bytes, madeAt }) => (
          <tr key={name}>
            <td>
              <b className="font-medium">
                <TimeAgo moment={madeAt} />
              </b>
              <span className="narrow:hidden text-ink-2 text-sm"> {REASONS[reason]}</span>
              <br />
              <span className="wrap-anywhere font-mono text-ink-3 text-sm">{name}</span>
            </td>
            <td className="text-ink-2 text-sm max-narrow:hidden">{REASONS[reason]}</td>
            <NumberCell>{formatBytes(bytes)}</NumberCell>
            <NumberCell>
              <span className="flex items-center justify-end gap-2">
                <Button variant="ghost" asChild>
                  <a href={`/api/v1/backups/${name}`} download>
                    <Download />
                    <span className="max-narrow:hidden">Download</span>
                    <span className="sr-only"> {name}</span>
                  </a>
                </Button>
                <DeleteButton
                  name={name}
                  what="This file"
                  route="DELETE /api/v1/backups/{name}"
                  request={{ params: { name } }}
                  goTo="/settings/backup"
                  needs="owner"
                />
              </span>
            </NumberCell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
