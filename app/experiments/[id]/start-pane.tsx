import { StartRunForm } from '#components/experiment/start-run-form.tsx';
import type { ExperimentView } from '#lib/db/find-experiment.ts';
import { listDatasets } from '#lib/db/list-datasets.ts';
import { mayUseReference } from '#lib/reflection/may-use-reference.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { startRuns } from './actions.ts';

/** The form that starts a batch of an experiment. */
export async function StartPane({ experiment }: { experiment: ExperimentView }) {
  const { database } = await getWorkshop();
  const datasets = await listDatasets(database, { cursor: null, limit: 50 });
  return (
    <section className="pane">
      <div className="ph">
        <h2>Start a run</h2>
      </div>
      <StartRunForm
        experimentId={experiment.id}
        needsReference={experiment.settings.criteria.some(mayUseReference)}
        datasets={datasets.items.map(({ id, name, caseCount }) => ({ id, name, caseCount }))}
        start={startRuns.bind(null, experiment.id)}
      />
    </section>
  );
}
