import { StartRunForm } from '#components/experiment/start-run-form.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { ExperimentView } from '#lib/experiments/queries.ts';
import { readStartForm } from './read-start-form.ts';

/** The form that starts the first batch of an experiment. */
export async function StartPane({ experiment }: { experiment: ExperimentView }) {
  return (
    <Pane>
      <PaneHeader>
        <h2>Start a run</h2>
      </PaneHeader>
      <StartRunForm {...(await readStartForm(experiment))} />
    </Pane>
  );
}
