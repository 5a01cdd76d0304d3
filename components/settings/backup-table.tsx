import { Download } from 'lucide-react';
import { DeleteButton } from '#components/team/delete-button.tsx';
import { Button } from '#components/ui/button.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { Table } from '#components/ui/table.tsx';
import { TimeAgo } from '#components/ui/time-ago.tsx';
import { formatBytes } from '#lib/format.ts';
import type { Result } from '#lib/reflection/problem.ts';
import type { BackupReason, StoredBackup } from '#lib/reflection/stored-backup.ts';

type BackupTableProps = {
  backups: StoredBackup[];
  now: string;
  remove: (name: string) => Promise<Result<unknown>>;
};

const REASONS: Record<BackupReason, string> = {
  asked: 'asked for',
  scheduled: 'by the schedule',
  migration: 'before a change of the schema',
  restore: 'before a restore',
  upgrade: 'before an upgrade of PostgreSQL',
};

/** Backups by age, with what each was made for, its size, and its file. */
export function BackupTable({ backups, now, remove }: BackupTableProps) {
  return (
    <ScrollX label="Backups">
      <Table isInset data-testid="backups">
        <thead>
          <tr>
            <th scope="col">Made</th>
            <th scope="col" className="max-narrow:hidden">
              Why
            </th>
            <th scope="col" className="whitespace-nowrap text-right">
              Size
            </th>
            <th scope="col">
              <span className="sr-only">Download or delete</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {backups.map(({ name, reason, bytes, madeAt }) => (
            <tr key={name}>
              <td>
                <b className="font-medium">
                  <TimeAgo moment={madeAt} now={now} />
                </b>
                <span className="narrow:hidden text-ink-2 text-sm"> {REASONS[reason]}</span>
                <br />
                <span className="wrap-anywhere font-mono text-ink-3 text-sm">{name}</span>
              </td>
              <td className="text-ink-2 text-sm max-narrow:hidden">{REASONS[reason]}</td>
              <td className="whitespace-nowrap text-right">{formatBytes(bytes)}</td>
              <td className="whitespace-nowrap text-right">
                <span className="flex items-center justify-end gap-2">
                  <Button variant="ghost" asChild>
                    <a href={`/api/v1/backups/${name}`} download>
                      <Download className="size-3.25" aria-hidden />
                      <span className="max-narrow:hidden">Download</span>
                      <span className="sr-only"> {name}</span>
                    </a>
                  </Button>
                  <DeleteButton
                    name={name}
                    what="This file"
                    remove={() => remove(name)}
                    goTo="/settings/backup"
                    needs="owner"
                  />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </ScrollX>
  );
}
