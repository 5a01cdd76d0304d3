'use client';

import { useRef } from 'react';
import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { BEST_VERSION_RULES, type ExperimentSettings, MODES } from '#lib/core/settings.ts';
import { DEFAULT_STOPS } from './form-settings.ts';
import { CheckField, NumberField, SelectField, useSettingsForm } from './setting-fields.tsx';
import { stopFieldsOf } from './stop-settings.ts';

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
