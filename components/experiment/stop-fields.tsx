'use client';

import { useRef } from 'react';
import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { DEFAULT_STOPS } from './form-settings.ts';
import { CheckField, NumberField, useSettingsForm } from './setting-fields.tsx';
import { stopFieldsOf } from './stop-settings.ts';

/** When the loop gives up before its cap. */
export function StopFields() {
  const { settings, set } = useSettingsForm();
  const { mode, convergence } = settings;
  const last = useRef(convergence ?? DEFAULT_STOPS);
  const fields = stopFieldsOf(mode);
  function turn(isOn: boolean) {
    // What was entered comes back when they are turned on again.
    last.current = convergence ?? last.current;
    set('convergence', isOn ? last.current : null);
  }
  return (
    <>
      <CheckboxField
        label="Stop early when it does not get better"
        help={
          mode === 'revise'
            ? 'Off: ends when the output is good, at the cap or budget, or when the same issues come back three times without a better score'
            : 'Off: it ends only when it is good, or at the cap or budget'
        }
        path="convergence"
        checked={convergence !== null}
        onChange={({ target }) => turn(target.checked)}
      />
      {convergence === null ? null : (
        <>
          <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
            {fields.map(({ name, label, help }) =>
              isSwitch(name) ? null : (
                <NumberField key={name} path={`convergence.${name}`} label={label(mode)} help={help} />
              ),
            )}
          </div>
          {fields.map(({ name, label }) =>
            isSwitch(name) ? <CheckField key={name} path={`convergence.${name}`} label={label(mode)} /> : null,
          )}
        </>
      )}
    </>
  );
}

type Stops = typeof DEFAULT_STOPS;
type Switch = { [Name in keyof Stops]: Stops[Name] extends boolean ? Name : never }[keyof Stops];

function isSwitch(name: keyof Stops): name is Switch {
  return typeof DEFAULT_STOPS[name] === 'boolean';
}
