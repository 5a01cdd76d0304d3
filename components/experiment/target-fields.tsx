'use client';

import { useId } from 'react';
import { Field, Select, Textarea } from '#components/ui/field.tsx';
import { Link } from '#components/ui/link.tsx';
import { COMPONENT_RULES } from '#lib/core/settings.ts';
import { formatNumberOf } from '#lib/format.ts';
import type { TargetChoice } from '#lib/targets/schema.ts';
import { type FormSettings, tunedComponents } from './form-settings.ts';
import { SelectField, useSettingsForm } from './setting-fields.tsx';
import { withTarget } from './target-choice.ts';
import { ToolChecks } from './tool-checks.tsx';

/** Selects the generator: a model or a connected target. Renders nothing without targets. */
export function GeneratorField({ targets }: { targets: readonly TargetChoice[] }) {
  const { settings, set } = useSettingsForm();
  const { generator } = settings;
  const { target } = generator;
  if (targets.length === 0 && target === null) return null;
  function choose(name: string) {
    const chosen = targets.find((one) => one.name === name);
    if (chosen === undefined) return set('generator', { ...generator, target: null });
    const next = withTarget(settings, chosen);
    set('generator', next.generator);
    set('prompts', next.prompts);
  }
  const isWaiting = targets.some(({ name, isConnected }) => name === target?.name && !isConnected);
  const isGone = target !== null && targets.every(({ name }) => name !== target.name);
  return (
    <Field
      label="Outputs from"
      help={
        target === null ? (
          'A model writes them, from the prompt below.'
        ) : (
          <>
            {isWaiting ? 'Your app is not connected. Runs wait until you start it. See' : 'Your app writes them. See'}{' '}
            <Link className="link" href="/targets">
              Targets
            </Link>
            .
          </>
        )
      }
      path={['generator.target.name', 'generator.target']}
    >
      <Select value={target?.name ?? ''} onChange={(event) => choose(event.target.value)}>
        <option value="">A model</option>
        {isGone ? <option value={target.name}>{target.name} (deleted)</option> : null}
        {targets.map(({ name, isConnected }) => (
          <option key={name} value={name}>
            {isConnected ? name : `${name} (not connected)`}
          </option>
        ))}
      </Select>
    </Field>
  );
}

type Target = NonNullable<FormSettings['generator']['target']>;

/** Edits the components sent to the target with every call, and selects which are tuned. */
export function ComponentFields({ target }: { target: Target }) {
  const { settings, set } = useSettingsForm();
  const isTuning = settings.mode === 'tune';
  const names = Object.keys(target.components);
  const change = (next: Partial<Target>) => set('generator.target', { ...target, ...next });
  const listId = useId();
  if (names.length === 0)
    return (
      <p className="text-ink-2 text-sm">
        {isTuning
          ? 'This target has no components, so there is nothing to tune. Declare components in your app.'
          : 'This target has no components. Its texts stay in your app.'}
      </p>
    );
  return (
    <>
      {isTuning ? <TunedComponents target={target} onChange={(next) => change({ tuned: next })} /> : null}
      <fieldset className="flex flex-col gap-4" aria-labelledby={listId}>
        <span id={listId} className="text-ink-2 text-sm">
          {formatNumberOf(names.length, 'component')} of your app. Hone sends these texts with every call.
        </span>
        {names.map((name) => (
          <Field key={name} label={name} path={`generator.target.components.${name}`}>
            <Textarea
              rows={4}
              className="font-mono text-code"
              spellCheck={false}
              value={target.components[name] ?? ''}
              onChange={(event) => change({ components: { ...target.components, [name]: event.target.value } })}
            />
          </Field>
        ))}
      </fieldset>
    </>
  );
}

type TunedProps = { target: Target; onChange: (tuned: string[]) => void };

/** Selects the components to tune. The default is the first one. */
function TunedComponents({ target, onChange }: TunedProps) {
  const names = Object.keys(target.components);
  const chosen = tunedComponents(target);
  return (
    <>
      <ToolChecks
        label="Components to tune"
        help="The reflection model proposes new texts for them. The other components stay as they are."
        offered={names.map((name) => ({ name, description: '', server: null }))}
        chosen={chosen}
        path="generator.target.tuned"
        onChange={(next) => onChange(names.filter((name) => next.includes(name)))}
      />
      {chosen.length > 1 ? (
        <SelectField
          path="tune.components"
          label="A proposal improves"
          options={COMPONENT_RULES}
          labelOf={(one) => COMPONENT_LABELS[one]}
        />
      ) : null}
    </>
  );
}

const COMPONENT_LABELS: Record<(typeof COMPONENT_RULES)[number], string> = {
  round_robin: 'each component in turn',
  blame: 'the component that feedback names',
  all: 'all components at once',
};
