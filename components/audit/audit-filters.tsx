'use client';

import { Download } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { address } from '#components/shell/pager.tsx';
import { Button } from '#components/ui/button.tsx';
import { Select } from '#components/ui/field.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { AUDIT_GROUPS, type AuditGroup } from '#lib/reflection/audit-entry.ts';
import { GROUP_WORDS } from './audit-words.ts';

type AuditFiltersProps = {
  group: AuditGroup | null;
  actorId: string | null;
  actors: readonly { id: string; name: string }[];
};

/** Which part of the log is shown, and the same part as a file. */
export function AuditFilters({ group, actorId, actors }: AuditFiltersProps) {
  const router = useRouter();
  const go = (next: { group: string | null; actor: string | null }) => router.push(address('/settings/audit', next));
  return (
    <div className="pane row wrap py-3">
      <Segmented
        label="Kind of act"
        className="max-w-full overflow-x-auto"
        value={group ?? 'all'}
        onChange={(value) => go({ group: value === 'all' ? null : value, actor: actorId })}
        choices={[
          { value: 'all', label: 'All' },
          ...AUDIT_GROUPS.map((one) => ({ value: one, label: GROUP_WORDS[one] })),
        ]}
      />
      <Select
        aria-label="Who"
        className="select-in-row"
        value={actorId ?? ''}
        onChange={({ target: { value } }) => go({ group, actor: value === '' ? null : value })}
      >
        <option value="">Anyone</option>
        {actors.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <span className="note wide-only">nothing in it can be changed or removed</span>
      <span className="end">
        <Button asChild variant="ghost" size="small">
          <a href={address('/api/v1/audit/export', { group, actorId })} download>
            <Download className="i s" aria-hidden />
            <span>
              <span className="vh">These lines as </span>JSONL
            </span>
          </a>
        </Button>
      </span>
    </div>
  );
}
