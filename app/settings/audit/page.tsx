import { AuditFilters, AuditTable } from '#components/audit/audit-log.tsx';
import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { address, Pager } from '#components/layout/pager.tsx';
import { SettingsTabs } from '#components/settings/settings-tabs.tsx';
import { PaneNote } from '#components/ui/pane.tsx';
import { AUDIT_GROUPS } from '#lib/audit/audit-groups.ts';
import { countAudit, listAudit, listAuditActors } from '#lib/audit/queries.ts';
import { readDayRange } from '#lib/audit/schema.ts';
import { authorizePage } from '#lib/auth/authorize.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { formatCount } from '#lib/format.ts';
import { type SearchParams, searchParam } from '../../search-param.ts';

const PAGE_SIZE = 50;

export default async function AuditPage({ searchParams }: { searchParams: SearchParams }) {
  await authorizePage('/settings/audit');
  const params = await searchParams;
  const wanted = searchParam(params.group);
  const group = AUDIT_GROUPS.find((one) => one === wanted) ?? null;
  const actorId = searchParam(params.actor)?.slice(0, 200) ?? null;
  const cursor = searchParam(params.cursor);
  const [from, to] = [searchParam(params.from), searchParam(params.to)];
  const shown = { group, actor: actorId, from, to };
  const days = readDayRange(from, to);
  const { database } = await getAppContext();
  const filter = days.ok ? { group, actorId, ...days.range } : null;
  // An invalid date range shows no entries. Showing all days would be misleading.
  const [{ items, nextCursor }, total, actors] = await Promise.all([
    filter === null ? { items: [], nextCursor: null } : listAudit(database, filter, { cursor, limit: PAGE_SIZE }),
    filter === null ? 0 : countAudit(database, filter),
    listAuditActors(database),
  ]);
  const bounds = filter && { from: filter.from?.toISOString() ?? null, to: filter.to?.toISOString() ?? null };
  const file = bounds && address('/api/v1/audit/export', { group, actorId, ...bounds });
  return (
    <Page crumbs={[{ label: 'Settings', href: '/settings' }, { label: 'Audit log' }]}>
      <PageHead
        title="Audit log"
        facts={
          days.ok && (
            <span>
              <b>{formatCount(total)}</b> {total === 1 ? 'entry' : 'entries'}
              {Object.values(shown).every((value) => value === null) ? '' : ' match the filters'}
            </span>
          )
        }
      />
      <SettingsTabs />
      <AuditFilters shown={shown} actors={actors} problems={days.ok ? null : days.problems} file={file} />
      {items.length > 0 ? (
        <AuditTable entries={items} />
      ) : (
        <PaneNote>{days.ok ? 'No entries match.' : 'Correct the dates above to see entries.'}</PaneNote>
      )}
      <Pager
        path="/settings/audit"
        params={shown}
        cursor={cursor}
        nextCursor={nextCursor}
        words={`${items.length} of ${formatCount(total)}, newest first`}
      />
    </Page>
  );
}
