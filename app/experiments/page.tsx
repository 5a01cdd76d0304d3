import { Plus, Upload } from 'lucide-react';
import Form from 'next/form';
import Link from 'next/link';
import { CompareChosen } from '#components/compare/compare-tick.tsx';
import { ExperimentTable } from '#components/experiment/experiment-table.tsx';
import { Page } from '#components/shell/page.tsx';
import { PageHead } from '#components/shell/page-head.tsx';
import { Pager } from '#components/shell/pager.tsx';
import { Button } from '#components/ui/button.tsx';
import { listExperiments } from '#lib/db/list-experiments.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { type SearchParams, searchParam } from '../search-param.ts';

export default async function ExperimentsPage({ searchParams }: { searchParams: SearchParams }) {
  await authorize({ name: 'page /experiments', role: 'viewer' });
  const params = await searchParams;
  const search = searchParam(params.q) ?? '';
  const cursor = searchParam(params.cursor);
  const { database, now } = await getWorkshop();
  const { items, nextCursor } = await listExperiments(database, { cursor, limit: 50, search });
  return (
    <Page crumbs={[{ label: 'Experiments' }]} practice={items.length > 0 && items.every((row) => row.practice)}>
      <PageHead
        title="Experiments"
        actions={
          <>
            <CompareChosen />
            <Button asChild variant="ghost">
              <Link href="/runs/import">
                <Upload className="i s" aria-hidden />
                Import runs
              </Link>
            </Button>
            <Button asChild variant="primary">
              <Link href="/experiments/new">
                <Plus className="i s" aria-hidden />
                New experiment
              </Link>
            </Button>
          </>
        }
      />
      <div className="pane py-3">
        <Form action="/experiments" className="row" role="search">
          <label className="vh" htmlFor="q">
            Search experiments by name
          </label>
          <input
            key={search}
            id="q"
            name="q"
            className="input max-w-72 min-w-0 flex-1"
            type="search"
            placeholder="Part of a name"
            defaultValue={search}
          />
          <Button type="submit">Search</Button>
          {search ? (
            <Link className="link sm" href="/experiments">
              Show all
            </Link>
          ) : null}
        </Form>
      </div>
      {items.length > 0 ? (
        <ExperimentTable rows={items} now={now().toISOString()} />
      ) : (
        <section className="pane">
          <p className="b">{search ? `No experiment has “${search}” in its name` : 'No experiments yet'}</p>
          <p className="muted mt-0.5 mb-3">
            {search
              ? 'Names are searched by any part of them.'
              : 'A template for your kind of task fills everything in.'}
          </p>
          <Button asChild>
            <Link href={search ? '/experiments' : '/experiments/new'}>{search ? 'Show all' : 'New experiment'}</Link>
          </Button>
        </section>
      )}
      <Pager path="/experiments" params={{ q: search || null }} cursor={cursor} nextCursor={nextCursor} />
      {items.length > 0 ? (
        <p className="pane sm faint border-b-0 py-3">
          Success: quality met, or accepted by a person, of the runs that ended; with its 95 % interval.
        </p>
      ) : null}
    </Page>
  );
}
