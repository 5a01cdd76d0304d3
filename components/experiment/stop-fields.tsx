'use client';

import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import type { FormPartProps } from './form-part-props.ts';
import { type StopField, stopFieldsOf } from './stop-settings.ts';

/** When the loop gives up before its cap. */
export function StopFields({ draft, change, errorAt }: FormPartProps) {
  const fields = stopFieldsOf(draft.mode);
  const entry = (name: StopField['name']) => draft.stops[name];
  const enter = (name: StopField['name'], value: string | boolean) =>
    change({ stops: { ...draft.stops, [name]: value } });
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
            {fields
              .filter(({ name }) => typeof entry(name) === 'string')
              .map(({ name, label, help }) => (
                <Field key={name} label={label(draft.mode)} help={help} error={errorAt(`convergence.${name}`)}>
                  <Input numeric value={String(entry(name))} onChange={(event) => enter(name, event.target.value)} />
                </Field>
              ))}
          </div>
          {fields
            .filter(({ name }) => typeof entry(name) === 'boolean')
            .map(({ name, label }) => (
              <CheckboxField
                key={name}
                label={label(draft.mode)}
                checked={entry(name) === true}
                onChange={(event) => enter(name, event.target.checked)}
              />
            ))}
        </>
      ) : null}
    </>
  );
}
