import { type EstimateRuns, RunEstimate } from '#components/estimate/run-estimate.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { type ExperimentDraft, fromDraft } from './experiment-draft.ts';

type FormEstimateProps = { draft: ExperimentDraft; datasetId: string | null; estimate: EstimateRuns };

/** What a run under the settings of the form may take: over one case of usual length, or the chosen dataset where a prompt is tuned. */
export function FormEstimate({ draft, datasetId, estimate }: FormEstimateProps) {
  const isTuning = draft.mode === 'tune';
  // A name is not needed to estimate.
  const experiment = { ...fromDraft(draft), name: 'Draft' };
  const request = isTuning ? { experiment, datasetId } : { experiment };
  return (
    <Pane aria-labelledby="estimate-title">
      <PaneHeader>
        <h2 id="estimate-title">What it may take</h2>
        <span className="text-ink-3 text-sm">
          {isTuning ? 'one run over the dataset' : 'one run, a case of 400 characters'}
        </span>
      </PaneHeader>
      <RunEstimate
        estimate={estimate}
        of="settings"
        input={isTuning && datasetId === null ? null : JSON.stringify(request)}
        refused="Comes as soon as all settings are within their ranges."
      />
    </Pane>
  );
}
