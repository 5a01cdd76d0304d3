import { JudgeAgainstPeople } from '#components/blind/judge-against-people.tsx';
import { BatchPanes } from '#components/experiment/batch-panes.tsx';
import { BatchProgress } from '#components/experiment/batch-progress.tsx';
import { BatchStats } from '#components/experiment/batch-stats.tsx';
import { ControlsPane } from '#components/experiment/controls-pane.tsx';
import { NoRunsPane } from '#components/experiment/no-runs-pane.tsx';
import { readRunFilter } from '#components/experiment/run-filter.ts';
import { RunsPane } from '#components/experiment/runs-pane.tsx';
import { SettingsChangePane } from '#components/experiment/settings-change-pane.tsx';
import { QueueReasons } from '#components/run/queue-note.tsx';
import { Columns } from '#components/ui/columns.tsx';
import type { ExperimentView } from '#lib/experiments/queries.ts';
import { formatNumberOf } from '#lib/format.ts';
import { searchParam } from '../../search-param.ts';
import { previewControlAction, runControlAction } from '../estimate-actions.ts';
import { resumeRunsAction, stopRunsAction } from './actions.ts';
import { chosenBatch } from './chosen-batch.ts';
import type { ExperimentTabProps } from './experiment-tab-props.ts';
import { readResults } from './read-results.ts';
import { StartPane } from './start-pane.tsx';

/** What came of one batch of an experiment: progress, the numbers, the charts, the runs, the settings, the judges. */
export async function ResultsTab({ experiment, path, asked, now }: ExperimentTabProps) {
  const batchId = chosenBatch(experiment, searchParam(asked.batch));
  const filter = readRunFilter(searchParam(asked.status), searchParam(asked.reason));
  const cursor = searchParam(asked.cursor);
  const results =
    batchId === null
      ? null
      : await readResults(experiment, { batchId, filter, cursor, against: searchParam(asked.against) }, new Date(now));
  if (results === null) return <NothingYet experiment={experiment} />;
  const { batch, settings, older, drawn, runs, versions, latest, against, agreement, timeLeft, queued } = results;
  const { report, counts } = batch;
  const missing = counts.failed + counts.stopped;
  return (
    <>
      <BatchProgress
        total={batch.total}
        counts={{
          ...{ ended: report.ended, solved: report.solved, unscored: report.unscored },
          ...{ waiting: counts.waiting, missing },
        }}
        cost={report}
        isUnderWay={batch.status === 'running'}
        timeLeft={timeLeft}
        stop={stopRunsAction.bind(null, batch.id)}
        resume={experiment.origin === 'imported' ? null : resumeRunsAction.bind(null, batch.id)}
      />
      {queued === null ? null : (
        <QueueReasons place={queued} lead={`${formatNumberOf(counts.queued, 'run')} queued; the first of them:`} />
      )}
      <BatchStats report={report} waiting={counts.waiting} older={older} />
      <Columns
        className={
          batch.total > 1
            ? 'medium:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_20.5rem]'
            : 'medium:grid-cols-[minmax(0,1fr)_minmax(0,20rem)_20.5rem]'
        }
      >
        <BatchPanes path={path} batch={batch} older={older} drawn={drawn} settings={settings} />
      </Columns>
      <Columns from="roomy" className="flex-1 roomy:grid-cols-[minmax(0,1fr)_22.5rem]">
        <RunsPane
          path={path}
          batch={batch}
          runs={runs}
          filter={filter}
          cursor={cursor}
          threshold={settings.qualityThreshold}
        />
        <div className="flex flex-col">
          <SettingsChangePane
            path={path}
            kept={{ batch: searchParam(asked.batch), status: filter.show, reason: filter.reason }}
            versions={versions}
            latest={latest}
            against={against}
            now={now}
          />
          {canBeControlled(experiment, batch.id) ? (
            <ControlsPane
              experimentId={experiment.id}
              batch={batch}
              settings={settings}
              actions={{
                preview: previewControlAction.bind(null, batch.id),
                run: runControlAction.bind(null, batch.id),
              }}
              controls={experiment.controls}
            />
          ) : null}
        </div>
      </Columns>
      {agreement ? (
        <JudgeAgainstPeople
          agreement={agreement}
          experimentId={experiment.id}
          settingsVersions={experiment.versions.length}
        />
      ) : null}
    </>
  );
}

/** A branch has no start of its own to be held against, and controls and trials are the other side already. */
function canBeControlled({ origin, batches }: ExperimentView, batchId: string): boolean {
  return origin === 'made' && batches.some(({ id, isBranch }) => id === batchId && !isBranch);
}

function NothingYet({ experiment }: { experiment: ExperimentView }) {
  return (
    <Columns className="medium:grid-cols-[minmax(0,1fr)_minmax(0,20rem)_20.5rem]">
      <NoRunsPane latestVersion={experiment.latestVersion} next="Give a case and press Run." />
      <StartPane experiment={experiment} />
    </Columns>
  );
}
