'use client';

import { Field, Input, Select } from '#components/ui/field.tsx';
import { CONFIDENCE_ACTIONS } from '#lib/core/evaluation-settings.ts';
import type { FormPartProps } from './form-part-props.ts';

/** What happens where a judge says that it is not sure. */
export function ConfidenceFields({ draft, change, errorAt }: FormPartProps) {
  return (
    <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
      <Field
        label="Minimum judge confidence"
        help="0 to 1, empty for none. Judges that report no confidence are not affected."
        error={errorAt('evaluation.confidence.below')}
      >
        <Input
          numeric
          value={draft.confidenceBelow}
          onChange={(event) => change({ confidenceBelow: event.target.value })}
        />
      </Field>
      <Field label="Below it" error={errorAt('evaluation.confidence.action')}>
        <Select
          value={draft.confidenceAction}
          onChange={(event) => {
            const action = CONFIDENCE_ACTIONS.find((one) => one === event.target.value);
            if (action !== undefined) change({ confidenceAction: action });
          }}
        >
          {CONFIDENCE_ACTIONS.filter(
            (action) => action !== 'ask' || draft.mode !== 'tune' || draft.confidenceAction === 'ask',
          ).map((action) => (
            <option key={action} value={action}>
              {CONFIDENCE_LABELS[action]}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  );
}

const CONFIDENCE_LABELS: Record<(typeof CONFIDENCE_ACTIONS)[number], string> = {
  rejudge: 'Judge once more, keep the more confident score',
  ask: 'Ask a person for the score',
  unscored: 'Count the criterion as unscored',
};
