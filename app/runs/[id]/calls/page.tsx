import { notFound } from 'next/navigation';
import { CallFilter } from '#components/run/call-filter.tsx';
import { CallList } from '#components/run/call-list.tsx';
import { Page } from '#components/shell/page.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { findRun } from '#lib/db/find-run.ts';
import { listModelCalls, MOST_CALLS } from '#lib/db/list-model-calls.ts';
import { listRescores } from '#lib/db/rescores.ts';
import { formatCost, formatCount, formatRunNumber, formatTitle } from '#lib/format.ts';
import { versionOfCall } from '#lib/reflection/version-of-call.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { readPageId } from '../../../read-page-id.ts';
import { type SearchParams, searchParam } from '../../../search-param.ts';

type CallsPageProps = { params: Promise<{ id: string }>; searchParams: SearchParams };

export default async function CallsPage({ params, searchParams }: CallsPageProps) {
  await authorize({ name: 'page /runs/{id}/calls', role: 'viewer' });
  const id = await readPageId(params);
  const { database } = await getWorkshop();
  const [found, calls] = await Promise.all([findRun(database, id), listModelCalls(database, id)]);
  if (found === null) notFound();
  const { record, history } = found;
  const versionOfRescore = new Map(
    (await listRescores(database, id)).map(({ version }, index) => [-(index + 1), version]),
  );
  const placed = calls.map((call) => ({
    ...call,
    version: call.step < 0 ? (versionOfRescore.get(call.step) ?? null) : versionOfCall(history, call),
  }));
  const counts = Map.groupBy(placed, ({ version }) => version);
  const wanted = searchParam((await searchParams).version);
  const chosen = placed.find(({ version }) => version !== null && String(version) === wanted)?.version ?? null;
  const shown = chosen === null ? placed : placed.filter(({ version }) => version === chosen);
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
      <CallFilter
        path={`/runs/${id}/calls`}
        counts={[...counts].flatMap(([version, { length }]) => (version === null ? [] : [{ version, count: length }]))}
        total={calls.length}
        chosen={chosen}
      />
      {calls.length >= MOST_CALLS ? (
        <p className="pane sm muted">These are the first {formatCount(MOST_CALLS)} calls of the run.</p>
      ) : null}
      <CallList key={chosen} calls={shown} />
    </Page>
  );
}
