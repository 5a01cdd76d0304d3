'use client';

import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { BEST_VERSION_RULES, MODES } from '#lib/core/settings.ts';
import type { ExperimentDraft } from './experiment-draft.ts';
import type { FormPartProps } from './form-part-props.ts';

/** How the loop goes on from one version to the next. */
export function LoopFields({ draft, change, errorAt }: FormPartProps) {
  return (
    <>
      <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
        <Field
          label="Mode"
          help={
            draft.mode === 'tune' && draft.base.type !== 'single'
              ? 'A prompt is tuned over single calls: the agent and its tools are left out'
              : undefined
          }
          error={errorAt('mode')}
        >
          <Select
            value={draft.mode}
            onChange={(event) => change({ mode: MODES.find((mode) => mode === event.target.value) ?? 'revise' })}
          >
            <option value="revise">revise: mend the same text</option>
            <option value="retry">retry: try anew, with the lessons of what failed</option>
            <option value="tune">tune: mend a prompt by the cases it fails on</option>
          </Select>
        </Field>
        {draft.mode === 'retry' ? (
          <Field label="Attempts at most" help="1 to 50, default 3" error={errorAt('maxAttempts')}>
            <Input
              numeric
              value={draft.maxAttempts}
              onChange={(event) => change({ maxAttempts: event.target.value })}
            />
          </Field>
        ) : (
          <Field
            label={draft.mode === 'tune' ? 'Proposals at most' : 'Revisions at most'}
            help="0 to 50, default 3"
            error={errorAt('maxIterations')}
          >
            <Input
              numeric
              value={draft.maxIterations}
              onChange={(event) => change({ maxIterations: event.target.value })}
            />
          </Field>
        )}
        <Field label="The best version is" error={errorAt('bestVersion')}>
          <Select
            value={draft.bestVersion}
            onChange={(event) =>
              change({ bestVersion: BEST_VERSION_RULES.find((rule) => rule === event.target.value) ?? 'highest_score' })
            }
          >
            {BEST_VERSION_RULES.map((rule) => (
              <option key={rule} value={rule}>
                {BEST_LABELS[rule]}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <CheckboxField
        label="Keep the text of every version"
        help="On by default. Off: when a run has ended, only the first, best, final and accepted versions keep theirs"
        checked={draft.preserveAllVersions}
        onChange={(event) => change({ preserveAllVersions: event.target.checked })}
      />
    </>
  );
}

const BEST_LABELS: Record<ExperimentDraft['bestVersion'], string> = {
  highest_score: 'the one with the highest score',
  latest: 'the latest',
  first_satisfactory: 'the first that is good enough',
  weighted_recency: 'by score, later ones a little before',
};
