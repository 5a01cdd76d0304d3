import { referenceUse } from '#components/experiment/reference-use.ts';
import type { StartRunFormProps } from '#components/experiment/start-run-form.tsx';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { listDatasets } from '#lib/datasets/queries.ts';
import type { ExperimentView } from '#lib/experiments/queries.ts';
import { startRunsAction } from './actions.ts';
import { newestBatch } from './experiment-tab-props.ts';

/** Loads the props of the form that starts a batch. The dataset of the newest batch is the default. */
export async function readStartForm(experiment: ExperimentView): Promise<Omit<StartRunFormProps, 'onStarted'>> {
  const { database } = await getAppContext();
  const { items } = await listDatasets(database, { cursor: null, limit: 50 });
  const dataset = newestBatch(experiment)?.dataset ?? null;
  const isListed = dataset === null || items.some(({ id }) => id === dataset.id);
  const listed = items.map(({ id, name, caseCount }) => ({ id, name, caseCount }));
  return {
    experimentId: experiment.id,
    name: experiment.name,
    ...referenceUse(experiment.settings),
    datasets: listed,
    datasetId: isListed ? (dataset?.id ?? null) : null,
    start: startRunsAction.bind(null, experiment.id),
  };
}
