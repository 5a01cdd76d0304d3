import { NoRunsPane } from '#components/experiment/no-runs-pane.tsx';
import { StartTuningForm } from '#components/tuning/start-tuning-form.tsx';
import { TunedRuns } from '#components/tuning/tuned-runs.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { listTunableDatasets } from '#lib/datasets/queries.ts';
import { listTuningRuns } from '#lib/runs/list-tuning-runs.ts';
import { searchParam } from '../../search-param.ts';
import { estimateRunsAction } from '../estimate-actions.ts';
import { startRunsAction } from './actions.ts';
import type { ExperimentTabProps } from './experiment-tab-props.ts';

/** Tuning runs that are summed up: each is read with its whole history. */
const MOST_TUNED = 8;

/** What came of tuning a prompt, and the form that tunes it once more. */
export async function TuningTab({ experiment, asked }: ExperimentTabProps) {
  const { database } = await getAppContext();
  const datasetId = searchParam(asked.dataset);
  const [datasets, runs] = await Promise.all([
    listTunableDatasets(database, { asked: datasetId, limit: 50 }),
    listTuningRuns(database, experiment.id, MOST_TUNED),
  ]);
  return (
    <Columns className="medium:grid-cols-[minmax(0,1fr)_minmax(0,30rem)]">
      {experiment.batches.length > 0 ? (
        <Pane>
          <PaneHeader>
            <h2>What tuning made of the prompt</h2>
            <span className="text-ink-3 text-sm">the newest {MOST_TUNED} runs at most</span>
          </PaneHeader>
          <TunedRuns runs={runs} />
        </Pane>
      ) : (
        <NoRunsPane latestVersion={experiment.latestVersion} next="Choose the cases and press Tune." />
      )}
      <Pane>
        <PaneHeader>
          <h2>Start a run</h2>
        </PaneHeader>
        <StartTuningForm
          estimate={estimateRunsAction.bind(null, experiment.id)}
          settings={experiment.settings}
          datasets={datasets}
          datasetId={datasetId}
          start={startRunsAction.bind(null, experiment.id)}
        />
      </Pane>
    </Columns>
  );
}
