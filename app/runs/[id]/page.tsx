import { notFound } from 'next/navigation';
import { RunView } from '#components/run/run-view.tsx';
import { Page } from '#components/shell/page.tsx';
import { findBranches } from '#lib/db/branches.ts';
import { findRun } from '#lib/db/find-run.ts';
import { findRunLessons } from '#lib/db/find-run-lessons.ts';
import { formatRunNumber } from '#lib/format.ts';
import { scoresOnly } from '#lib/reflection/scores-only.ts';
import { findRescores } from '#lib/runs/find-rescores.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { readPageId } from '../../read-page-id.ts';
import { branchTheRun, decideOnRun, rescoreOnRun, resumeTheRun, stopTheRun } from './actions.ts';

export default async function RunPage({ params }: { params: Promise<{ id: string }> }) {
  await authorize({ name: 'page /runs/{id}', role: 'viewer' });
  const id = await readPageId(params);
  const { database, now } = await getWorkshop();
  const found = await findRun(database, id);
  if (found === null) notFound();
  const { record, settings, experimentName, history } = found;
  const [rescores, branches, lessons] = await Promise.all([
    findRescores(database, { run: { id }, history, settings }),
    findBranches(database, id),
    findRunLessons(database, id),
  ]);
  const crumbs = [
    { label: 'Experiments', href: '/experiments' },
    { label: experimentName, href: `/experiments/${record.experimentId}` },
    { label: `Run ${formatRunNumber(record.number)}` },
  ];
  const actions = {
    decide: decideOnRun.bind(null, id),
    stop: stopTheRun.bind(null, id),
    resume: resumeTheRun.bind(null, id),
    branch: branchTheRun.bind(null, id),
    rescore: rescoreOnRun.bind(null, id),
  };
  return (
    <Page crumbs={crumbs} practice={record.practice}>
      <RunView
        initial={record}
        settings={settings}
        actions={actions}
        rescores={rescores}
        branches={branches}
        lessons={lessons}
        now={now().toISOString()}
        scores={{ history: scoresOnly(history), event: record.lastEvent }}
      />
    </Page>
  );
}
