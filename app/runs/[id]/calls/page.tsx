import { notFound } from 'next/navigation';
import { Page } from '#components/layout/page.tsx';
import { PageHead } from '#components/layout/page-head.tsx';
import { Pager } from '#components/layout/pager.tsx';
import { CallFilter } from '#components/run/call-filter.tsx';
import { CallList } from '#components/run/call-list.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { authorizePage } from '#lib/auth/authorize.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { formatCost, formatCount, formatRunNumber, formatTitle } from '#lib/format.ts';
import { listRunCalls } from '#lib/runs/calls.ts';
import { readPageId } from '../../../read-page-id.ts';
import { type IdPageProps, numberParam, searchParam } from '../../../search-param.ts';

const PAGE_SIZE = 200;

export default async function CallsPage({ params, searchParams }: IdPageProps) {
  await authorizePage('/runs/{id}/calls');
  const id = await readPageId(params);
  const wanted = await searchParams;
  const version = numberParam(wanted.version);
  const cursor = searchParam(wanted.cursor);
  const chosen = {
    version: version === null ? null : String(version),
    role: searchParam(wanted.role),
    failed: searchParam(wanted.failed) === 'true' ? 'true' : null,
  };
  const listed = await listRunCalls(await getAppContext(), id, {
    role: chosen.role,
    version,
    failed: chosen.failed !== null,
    cursor,
    limit: PAGE_SIZE,
  });
  if (listed === null) notFound();
  const { page, counts } = listed;
  const { record, experimentName } = listed.found;
  const path = `/runs/${id}/calls`;
  const crumbs = [
    { label: 'Experiments', href: '/experiments' },
    { label: experimentName, href: `/experiments/${record.experimentId}` },
    { label: `Run ${formatRunNumber(record.number)}`, href: `/runs/${id}` },
    { label: 'Calls' },
  ];
  return (
    <Page crumbs={crumbs} practice={record.practice}>
      <PageHead
        title="Model calls"
        facts={
          <>
            <span>{formatTitle(record.case.input, 80)}</span>
            <span>
              <b>{formatCount(counts.total)}</b> {counts.total === 1 ? 'call' : 'calls'}
            </span>
            <span>
              <b>{formatCount(record.tokenUsage.total)}</b> tokens
            </span>
            <span>
              <b>{formatCost(record.costUsd, record.unpriced)}</b>
            </span>
          </>
        }
      />
      <CallFilter path={path} counts={counts} chosen={chosen} />
      {page.items.length === 0 ? (
        <Pane asChild className="text-ink-2">
          <p>{counts.total === 0 ? 'No model calls yet.' : 'No calls match.'}</p>
        </Pane>
      ) : (
        <CallList key={JSON.stringify([chosen, cursor])} runId={id} calls={page.items} />
      )}
      <Pager path={path} params={chosen} cursor={cursor} nextCursor={page.nextCursor} />
    </Page>
  );
}
