'use client';

import { useId } from 'react';
import { Field, Input, Select } from '#components/ui/field.tsx';
import type { ModelReference } from '#lib/core/settings.ts';
import { PROVIDER_DEFINITIONS, PROVIDER_KINDS } from '#lib/providers/provider-kinds.ts';
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
  /** Label of the model field. Default: the first label followed by “model”. */
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
  modelLabel = `${label}: model`,
  value,
  none,
  providers,
  path,
  onChange,
}: ModelChoiceProps) {
  const listId = useId();
  const provider = providers.find(({ name }) => name === value?.provider);
  const known = new Set([...(provider?.models ?? []), ...(provider?.listed ?? [])]);
  function choose(name: string) {
    if (name === '') return onChange(null);
    onChange({ provider: name, model: providers.find((candidate) => candidate.name === name)?.models[0] ?? '' });
  }
  return (
    <div className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
      <Field label={label} help={help} path={[`${path}.provider`, path]}>
        <Select value={value?.provider ?? ''} onChange={(event) => choose(event.target.value)}>
          {none === null ? null : <option value="">{none}</option>}
          {value && !provider ? <option value={value.provider}>{value.provider} (deleted)</option> : null}
          {providers.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      {value ? (
        <Field label={modelLabel} help="Model ID of the provider" path={`${path}.model`}>
          <Input
            value={value.model}
            list={listId}
            onChange={(event) => onChange({ ...value, model: event.target.value })}
          />
          <datalist id={listId}>
            {[...known].map((model) => (
              <option key={model} value={model} />
            ))}
          </datalist>
        </Field>
      ) : null}
    </div>
  );
}

/** Suggested embedding models by provider. Other names can be entered. */
export const EMBEDDING_MODELS: Record<string, readonly string[]> = Object.fromEntries(
  PROVIDER_KINDS.map((kind) => [kind, PROVIDER_DEFINITIONS[kind].embeddingModels]),
);
