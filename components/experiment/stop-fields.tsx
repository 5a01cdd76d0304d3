'use client';

import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import type { FormPartProps } from './form-part-props.ts';

/** When the loop gives up before its cap. A tuned prompt has a plateau only: its candidates are no revisions of one text. */
export function StopFields({ draft, change, errorAt }: FormPartProps) {
  return (
    <>
      <CheckboxField
        label="Stop early when it does not get better"
        help={
          draft.mode === 'revise'
            ? 'Off: ends when the output is good, at the cap or budget, or when the same issues come back three times without a better score'
            : 'Off: it ends only when it is good, or at the cap or budget'
        }
        checked={draft.earlyStops}
        onChange={(event) => change({ earlyStops: event.target.checked })}
      />
      {draft.earlyStops ? (
        <>
          <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
            <Field
              label={draft.mode === 'tune' ? 'Patience, candidates' : 'Patience, versions'}
              help="1 to 10, default 2"
              error={errorAt('convergence.plateauIterations')}
            >
              <Input
                numeric
                value={draft.plateauIterations}
                onChange={(event) => change({ plateauIterations: event.target.value })}
              />
            </Field>
            {draft.mode === 'tune' ? null : (
              <Field
                label="Minimum improvement"
                help="0 to 1, default 0.05: a smaller rise of the best is diminishing"
                error={errorAt('convergence.improvementThreshold')}
              >
                <Input
                  numeric
                  value={draft.improvementThreshold}
                  onChange={(event) => change({ improvementThreshold: event.target.value })}
                />
              </Field>
            )}
          </div>
          {draft.mode === 'tune' ? null : (
            <>
              <CheckboxField
                label="Stop when the score goes up and down"
                checked={draft.detectOscillation}
                onChange={(event) => change({ detectOscillation: event.target.checked })}
              />
              <CheckboxField
                label="Stop when the text or answer stays the same"
                checked={draft.detectStability}
                onChange={(event) => change({ detectStability: event.target.checked })}
              />
            </>
          )}
        </>
      ) : null}
    </>
  );
}
