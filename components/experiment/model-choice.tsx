'use client';

import { Plus, X } from 'lucide-react';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Combobox } from '#components/ui/combobox.tsx';
import { Field, FieldGrid, Select } from '#components/ui/field.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { Options } from '#components/ui/options.tsx';
import type { ModelReference } from '#lib/core/settings.ts';
import type { RefusedParameter } from '#lib/providers/refused-parameter-record.ts';

/** Provider in the form: its name, previously used models, the models it lists, and settings its models refuse. */
export type ProviderChoice = {
  name: string;
  models: readonly string[];
  listed?: readonly string[];
  refused?: readonly Pick<RefusedParameter, 'model' | 'parameter'>[];
};

type ModelChoiceProps = {
  label: string;
  help?: string;
  /** Label of the model field. Default: the first label, ending in “model ID”. */
  modelLabel?: string;
  value: ModelReference | null;
  /** Meaning of an empty selection. Null if a model is required. */
  none: string | null;
  providers: readonly ProviderChoice[];
  /** Path of the selection in the request. */
  path: string;
  onChange: (value: ModelReference | null) => void;
};

/** Selects the provider and model of a role. */
export function ModelChoice({
  label,
  help,
  modelLabel = `${label.replace(/ model$/, '')} model ID`,
  value,
  none,
  providers,
  path,
  onChange,
}: ModelChoiceProps) {
  const provider = providers.find(({ name }) => name === value?.provider);
  const known = new Set([...(provider?.models ?? []), ...(provider?.listed ?? [])]);
  function choose(name: string) {
    if (name === '') return onChange(null);
    onChange({ provider: name, model: providers.find((candidate) => candidate.name === name)?.models[0] ?? '' });
  }
  return (
    <FieldGrid>
      <Field label={label} help={help} path={[`${path}.provider`, path]}>
        <Select value={value?.provider ?? ''} onValue={choose}>
          {none === null ? null : <option value="">{none}</option>}
          {value && !provider ? <option value={value.provider}>{value.provider} (deleted)</option> : null}
          <Options of={providers.map(({ name }) => name)} />
        </Select>
      </Field>
      {value ? (
        <Field label={modelLabel} help="Model ID of the provider" path={`${path}.model`}>
          <Combobox value={value.model} options={[...known]} onChange={(model) => onChange({ ...value, model })} />
        </Field>
      ) : null}
    </FieldGrid>
  );
}

type ModelListProps = {
  models: readonly ModelReference[];
  /** Help text of the first model. */
  help: string;
  providers: readonly ProviderChoice[];
  path: string;
  /** Prefix of the labels. Omitted if the list stands alone. */
  kind?: string;
  /** Minimum and maximum number of models. */
  least?: number;
  most?: number;
  errorAt: (path: string) => string | null;
  onChange: (models: ModelReference[]) => void;
};

/** Each model has a column. More than three do not fit side by side. */
const MAX_MODELS = 3;

/** Edits a list of models. */
export function ModelList(props: ModelListProps) {
  const { models, help, providers, path, kind = '', least = 1, most = MAX_MODELS, errorAt, onChange } = props;
  const first = providers[0];
  const named = (label: string) => (kind === '' ? label : `${kind} ${label.toLowerCase()}`);
  const numbered = (label: string, index: number) =>
    models.length > 1 ? `${named(label)} ${index + 1}` : named(label);
  return (
    <section className="flex flex-col gap-2" aria-label={named('Models')}>
      {models.map((model, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a model has no ID while its name is typed
        <div key={index} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <ModelChoice
              label={numbered('Provider', index)}
              modelLabel={numbered('Model', index)}
              help={index === 0 ? help : 'Additional model'}
              value={model}
              none={null}
              providers={providers}
              path={`${path}.${index}`}
              onChange={(next) => onChange(models.map((one, at) => (at === index && next !== null ? next : one)))}
            />
          </div>
          {models.length > least ? (
            <IconButton
              icon={X}
              label={`Remove ${named('Model').toLowerCase()} ${index + 1}`}
              className="mt-6"
              onClick={() => onChange(models.filter((_, at) => at !== index))}
            />
          ) : null}
        </div>
      ))}
      {errorAt(path) ? <InlineError>{errorAt(path)}</InlineError> : null}
      {models.length < most && first !== undefined ? (
        <div>
          <Button
            size="small"
            onClick={() => onChange([...models, { provider: first.name, model: first.models[0] ?? '' }])}
          >
            <Plus />
            Add {named('Model').toLowerCase()}
          </Button>
        </div>
      ) : null}
    </section>
  );
}
