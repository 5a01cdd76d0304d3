import { experimentsSchema, startedSchema } from '#lib/api/experiments-schema.ts';
import { runsSchema } from '#lib/api/runs-schema.ts';
import { TUNING_SAMPLE } from '#lib/samples/tuning-sample.ts';
import type { Api } from '../api/open-api.ts';
import type { StagedPage } from './stage-pages.ts';

/** Returns the pages of a tuned prompt (the sample) and of a tuning run that waits at an untried proposal. */
export async function stageTuning(api: Api): Promise<StagedPage[]> {
  const { items } = await api.read(experimentsSchema, 'GET', '/api/v1/experiments?limit=100');
  const sample = items.find(({ sample: isSample, mode }) => isSample && mode === 'tune')?.id ?? '';
  const runs = await api.read(runsSchema, 'GET', `/api/v1/runs?experimentId=${sample}`);
  const tuned = runs.items[0]?.id ?? '';
  const experiment = await api.createExperiment({
    ...TUNING_SAMPLE.settings,
    name: 'Support mail, proposals looked at',
    callbacks: { review: { revisions: true } },
  });
  const started = await api.read(startedSchema, 'POST', `/api/v1/experiments/${experiment}/runs`, {
    datasetId: TUNING_SAMPLE.kept?.datasetId,
  });
  const waiting = started.runIds[0] ?? '';
  await api.waitForRun(waiting, ['waiting']);
  return [
    { name: 'experiment-tuned', path: `/experiments/${sample}` },
    { name: 'experiment-new-tune', path: '/experiments/new?prompt=support-triage&version=1' },
    { name: 'run-tuned', path: `/runs/${tuned}?case=3` },
    { name: 'run-proposal-waiting', path: `/runs/${waiting}` },
  ];
}
