'use client';

import { BEST_VERSION_RULES, type ExperimentSettings, MODES } from '#lib/core/settings.ts';
import { CheckField, NumberField, SelectField, useSettingsForm } from './setting-fields.tsx';

/** How the loop goes on from one version to the next. */
export function LoopFields() {
  const { mode, generator } = useSettingsForm().settings;
  return (
    <>
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <SelectField
          path="mode"
          label="Mode"
          help={
            mode === 'tune' && generator.base.type !== 'single'
              ? 'A prompt is tuned over single calls: the agent and its tools are left out'
              : undefined
          }
          options={MODES}
          labelOf={(one) => MODE_LABELS[one]}
        />
        {mode === 'retry' ? (
          <NumberField path="maxAttempts" label="Attempts at most" help="1 to 50, default 3" />
        ) : (
          <NumberField
            path="maxIterations"
            label={mode === 'tune' ? 'Proposals at most' : 'Revisions at most'}
            help="0 to 50, default 3"
          />
        )}
        <SelectField
          path="bestVersion"
          label="The best version is"
          options={BEST_VERSION_RULES}
          labelOf={(rule) => BEST_LABELS[rule]}
        />
      </div>
      <CheckField
        path="preserveAllVersions"
        label="Keep the text of every version"
        help="On by default. Off: when a run has ended, only the first, best, final and accepted versions keep theirs"
      />
    </>
  );
}

const MODE_LABELS: Record<ExperimentSettings['mode'], string> = {
  revise: 'revise: mend the same text',
  retry: 'retry: try anew, with the lessons of what failed',
  tune: 'tune: mend a prompt by the cases it fails on',
};

const BEST_LABELS: Record<ExperimentSettings['bestVersion'], string> = {
  highest_score: 'the one with the highest score',
  latest: 'the latest',
  first_satisfactory: 'the first that is good enough',
  weighted_recency: 'by score, later ones a little before',
};
