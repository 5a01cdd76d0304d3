import { notFound } from 'next/navigation';
import { CallList } from '#components/run/call-list.tsx';
import { Page } from '#components/shell/page.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { findRun } from '#lib/db/find-run.ts';
import { listModelCalls } from '#lib/db/list-model-calls.ts';
import { formatCost, formatCount, formatRunNumber, formatTitle } from '#lib/format.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { readPageId } from '../../../read-page-id.ts';

export default async function CallsPage({ params }: { params: Promise<{ id: string }> }) {
  await authorize({ name: 'page /runs/{id}/calls', role: 'viewer' });
  const id = await readPageId(params);
  const { database } = await getWorkshop();
  const [found, calls] = await Promise.all([findRun(database, id), listModelCalls(database, id)]);
  if (found === null) notFound();
  const { record } = found;
  const crumbs = [
    { label: 'Experiments', href: '/experiments' },
    { label: `Run ${formatRunNumber(record.number)}`, href: `/runs/${id}` },
    { label: 'Calls' },
  ];
  return (
    <Page crumbs={crumbs} practice={record.practice}>
      <PageHead
        title="Calls as they were sent"
        facts={
          <>
            <span>{formatTitle(record.case.input, 80)}</span>
            <span>
              <b>{formatCount(calls.length)}</b> calls
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
      <CallList calls={calls} />
    </Page>
  );
}
