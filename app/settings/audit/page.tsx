import { AuditFilters } from '#components/audit/audit-filters.tsx';
import { AuditTable } from '#components/audit/audit-table.tsx';
import { SettingsTabs } from '#components/settings/settings-tabs.tsx';
import { Page } from '#components/shell/page.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { Pager } from '#components/shell/pager.tsx';
import { countAudit, listAudit, listAuditActors } from '#lib/db/list-audit.ts';
import { formatCount } from '#lib/format.ts';
import { AUDIT_GROUPS } from '#lib/reflection/audit-entry.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { type SearchParams, searchParam } from '../../search-param.ts';

/** Lines on one page. */
const PAGE = 50;

export default async function AuditPage({ searchParams }: { searchParams: SearchParams }) {
  await authorize({ name: 'page /settings/audit', role: 'owner' });
  const params = await searchParams;
  const wanted = searchParam(params.group);
  const group = AUDIT_GROUPS.find((one) => one === wanted) ?? null;
  const actorId = searchParam(params.actor)?.slice(0, 200) ?? null;
  const cursor = searchParam(params.cursor);
  const { database } = await getWorkshop();
  const filter = { group, actorId };
  const [{ items, nextCursor }, total, actors] = await Promise.all([
    listAudit(database, filter, { cursor, limit: PAGE }),
    countAudit(database, filter),
    listAuditActors(database),
  ]);
  return (
    <Page crumbs={[{ label: 'Settings', href: '/settings' }, { label: 'Audit log' }]}>
      <PageHead
        title="Audit log"
        facts={
          <span>
            <b>{formatCount(total)}</b> {total === 1 ? 'line' : 'lines'}
            {group === null && actorId === null ? '' : ' of this kind'}
          </span>
        }
      />
      <SettingsTabs />
      <AuditFilters group={group} actorId={actorId} actors={actors} />
      {items.length > 0 ? (
        <AuditTable entries={items} />
      ) : (
        <p className="pane muted border-b-0">Nothing of this kind was noted.</p>
      )}
      <Pager
        path="/settings/audit"
        params={{ group, actor: actorId }}
        cursor={cursor}
        nextCursor={nextCursor}
        words={`${items.length} of ${formatCount(total)}, newest first`}
      />
    </Page>
  );
}
