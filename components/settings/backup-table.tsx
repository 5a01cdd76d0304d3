import { Download } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { DeleteButton } from '#components/ui/delete-button.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
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
      <table className="t edge" data-testid="backups">
        <thead>
          <tr>
            <th scope="col">Made</th>
            <th scope="col" className="opt">
              Why
            </th>
            <th scope="col" className="num">
              Size
            </th>
            <th scope="col">
              <span className="vh">Download or delete</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {backups.map(({ name, reason, bytes, madeAt }) => (
            <tr key={name}>
              <td>
                <b className="md5">
                  <TimeAgo moment={madeAt} now={now} />
                </b>
                <span className="sm muted narrow-only"> {REASONS[reason]}</span>
                <br />
                <span className="mono sm faint wrap-anywhere">{name}</span>
              </td>
              <td className="sm muted opt">{REASONS[reason]}</td>
              <td className="num nw">{formatBytes(bytes)}</td>
              <td className="num">
                <span className="row justify-end">
                  <Button variant="ghost" asChild>
                    <a href={`/api/v1/backups/${name}`} download>
                      <Download className="i s" aria-hidden />
                      <span className="opt">Download</span>
                      <span className="vh"> {name}</span>
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
      </table>
    </ScrollX>
  );
}
