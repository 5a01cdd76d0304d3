import type { StartRunFormProps } from '#components/experiment/start-run-form.tsx';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { asksForReference } from '#lib/core/prompts/judge-texts.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { lackOf } from '#lib/core/unscorable-cases.ts';
import { listDatasets } from '#lib/datasets/queries.ts';
import { isShownToJudge, mayUseReference } from '#lib/evaluators/tried-criterion.ts';
import type { ExperimentView } from '#lib/experiments/queries.ts';
import { estimateRunsAction } from '../actions.ts';
import { startRunsAction } from './actions.ts';
import { newestBatch } from './experiment-tab-props.ts';

/** What the form that starts a batch is given: the dataset of the newest batch is offered first. */
export async function readStartForm(experiment: ExperimentView): Promise<Omit<StartRunFormProps, 'onStarted'>> {
  const { database } = await getAppContext();
  const { criteria, prompts } = experiment.settings;
  const { items } = await listDatasets(database, { cursor: null, limit: 50 });
  const dataset = newestBatch(experiment)?.dataset ?? null;
  const isListed = dataset === null || items.some(({ id }) => id === dataset.id);
  const listed = items.map(({ id, name, caseCount }) => ({ id, name, caseCount }));
  return {
    experimentId: experiment.id,
    reference: referenceIn(experiment.settings),
    isReferenceJudged: criteria.some((criterion) => isShownToJudge(criterion, prompts.evaluate)),
    datasets: listed,
    datasetId: isListed ? (dataset?.id ?? null) : null,
    start: startRunsAction.bind(null, experiment.id),
    estimate: estimateRunsAction.bind(null, experiment.id),
  };
}

const NO_REFERENCE = { reference: null, metadata: {} };

function referenceIn({ criteria, prompts }: ExperimentSettings): StartRunFormProps['reference'] {
  const isNeeded = criteria.some(
    (criterion) =>
      asksForReference(criterion, prompts.evaluate) ||
      lackOf(criterion, NO_REFERENCE, prompts.evaluate) === 'reference',
  );
  if (isNeeded) return 'needed';
  return criteria.some((criterion) => mayUseReference(criterion, prompts.evaluate)) ? 'used' : 'unused';
}
