import { JudgeAgainstPeople } from '#components/blind/judge-against-people.tsx';
import { BatchPanes } from '#components/experiment/batch-panes.tsx';
import { BatchProgress } from '#components/experiment/batch-progress.tsx';
import { BatchStats } from '#components/experiment/batch-stats.tsx';
import { NoRunsPane } from '#components/experiment/no-runs-pane.tsx';
import { RunsPane } from '#components/experiment/runs-pane.tsx';
import { findBatch } from '#lib/db/find-batch.ts';
import { listRuns } from '#lib/db/list-runs.ts';
import { findAgreement } from '#lib/db/preferences.ts';
import { RUN_STATUSES } from '#lib/reflection/run-record.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { searchParam } from '../../search-param.ts';
import { stopRuns } from './actions.ts';
import { chosenBatch } from './chosen-batch.ts';
import type { ExperimentTabProps } from './experiment-tab-props.ts';
import { StartPane } from './start-pane.tsx';

/** Runs on one page, and those that the chart of all runs draws: more lines than these are one grey field. */
const MOST_DRAWN = 200;

/** What came of one batch of an experiment: progress, the numbers, the charts, the judges, and the runs. */
export async function ResultsTab({ experiment, path, asked, now }: ExperimentTabProps) {
  const { database } = await getWorkshop();
  const batchId = chosenBatch(experiment, searchParam(asked.batch));
  const status = RUN_STATUSES.find((candidate) => candidate === searchParam(asked.status)) ?? null;
  const cursor = searchParam(asked.cursor);
  const isDrawnPage = status === null && cursor === null;
  if (batchId === null) return <NothingYet experiment={experiment} />;
  const [batch, drawn, listed, agreement] = await Promise.all([
    findBatch(database, batchId),
    listRuns(database, { batchId, cursor: null, limit: MOST_DRAWN }),
    isDrawnPage ? null : listRuns(database, { batchId, status, cursor, limit: MOST_DRAWN }),
    findAgreement(database, experiment.id),
  ]);
  if (batch === null) return <NothingYet experiment={experiment} />;
  const { report, counts } = batch;
  return (
    <>
      <BatchProgress
        total={batch.total}
        counts={{ ended: report.ended, solved: report.solved, waiting: counts.waiting }}
        isUnderWay={batch.status === 'running'}
        stop={stopRuns.bind(null, batch.id)}
      />
      <BatchStats report={report} />
      <div className={batch.total > 1 ? 'cols c3 results four' : 'cols c3 results'}>
        <BatchPanes
          path={path}
          batch={{ id: batch.id, total: batch.total, waiting: counts.waiting, report }}
          batches={experiment.batches}
          drawn={drawn.items}
          settings={experiment.settings}
          now={now}
        />
        <StartPane experiment={experiment} />
      </div>
      {agreement ? (
        <JudgeAgainstPeople
          agreement={agreement}
          experimentId={experiment.id}
          settingsVersions={experiment.versions.length}
        />
      ) : null}
      <RunsPane path={path} batch={batch} runs={listed ?? drawn} status={status} cursor={cursor} />
    </>
  );
}

function NothingYet({ experiment }: Pick<ExperimentTabProps, 'experiment'>) {
  return (
    <div className="cols c3 results">
      <NoRunsPane latestVersion={experiment.latestVersion} next="Give a case and press Run." />
      <StartPane experiment={experiment} />
    </div>
  );
}
