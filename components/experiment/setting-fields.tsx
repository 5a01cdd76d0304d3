'use client';

import { type ComponentProps, createContext, type ReactNode, useContext, useState } from 'react';
import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { Field, Input, Select, Textarea } from '#components/ui/field.tsx';
import { Options } from '#components/ui/options.tsx';
import { linesOf, parseNumberEntry } from '#components/ui/parse-entries.ts';
import type { ModelReference } from '#lib/core/settings.ts';
import { PROVIDER_DEFINITIONS, PROVIDER_KINDS } from '#lib/providers/provider-kinds.ts';
import type { TargetChoice } from '#lib/targets/schema.ts';
import {
  type FormSettings,
  type NumberEntry,
  type PathTo,
  type SettingAt,
  type SettingPath,
  settingAt,
} from './form-settings.ts';
import { ModelChoice, type ProviderChoice } from './model-choice.tsx';
import type { TunableDataset } from './split-counts.tsx';
import type { ToolChoice } from './tool-checks.tsx';

/** Options offered by the parts of the form. */
export type FormChoices = {
  providers: readonly ProviderChoice[];
  /** Targets that can produce outputs. */
  targets: readonly TargetChoice[];
  /** Tools available to agents. */
  tools: readonly ToolChoice[];
  /** Names of the installation's webhooks. */
  webhooks: readonly string[];
  /** Datasets for tuning. */
  datasets: readonly TunableDataset[];
  /** True if an owner has enabled Python. */
  isPythonOn: boolean;
};

type SettingsForm = {
  choices: FormChoices;
  /** Settings when the form opened. */
  initial: FormSettings;
  settings: FormSettings;
  set: <Path extends SettingPath>(path: Path, value: SettingAt<Path>) => void;
};

const SettingsContext = createContext<SettingsForm | null>(null);

/** Provides the settings that the fields inside show and change, each by its path, and the options they offer. */
export const SettingsFormProvider = SettingsContext.Provider;

export function useSettingsForm(): SettingsForm {
  const form = useContext(SettingsContext);
  if (form === null) throw new Error('A field of settings stands outside of their form');
  return form;
}

type SettingFieldProps<Path> = {
  path: Path;
  label: string;
  help?: ReactNode;
};

/** Number field with a decimal point or comma. Keeps the typed text while it parses to the current value or is not a number. */
export function NumberField(props: SettingFieldProps<PathTo<NumberEntry>> & { className?: string }) {
  const { path, label, help, className } = props;
  const { settings, set } = useSettingsForm();
  return (
    <Field label={label} help={help} path={path}>
      <NumberInput className={className} value={settingAt(settings, path)} onChange={(value) => set(path, value)} />
    </Field>
  );
}

type NumberInputProps = { value: NumberEntry; onChange: (value: NumberEntry) => void; className?: string | undefined };

/** A number input for a `Field`. */
export function NumberInput({ value, onChange, className }: NumberInputProps) {
  const [text, setText] = useState('');
  return (
    <Input
      numeric
      className={className}
      value={parseNumberEntry(text) === value ? text : (value ?? '')}
      onValue={(value) => {
        setText(value);
        onChange(parseNumberEntry(value));
      }}
    />
  );
}

export function TextField(props: SettingFieldProps<PathTo<string>> & { placeholder?: string }) {
  const { path, label, help, placeholder } = props;
  const { settings, set } = useSettingsForm();
  return (
    <Field label={label} help={help} path={path}>
      <Input value={settingAt(settings, path)} placeholder={placeholder} onValue={(value) => set(path, value)} />
    </Field>
  );
}

/** Multi-line text field. `also`: another request path whose errors are shown here. */
export function LongTextField({
  path,
  also,
  label,
  help,
  ...props
}: SettingFieldProps<PathTo<string | null>> & { also?: SettingPath } & ComponentProps<typeof Textarea>) {
  const { settings, set } = useSettingsForm();
  return (
    <Field label={label} help={help} path={also === undefined ? path : [path, also]}>
      <Textarea {...props} value={settingAt(settings, path) ?? ''} onValue={(value) => set(path, value)} />
    </Field>
  );
}

/** Field for a list of texts, one per line. Empty lines are dropped. */
export function LinesField({ path, label, help }: SettingFieldProps<PathTo<string[]>>) {
  const { settings, set } = useSettingsForm();
  const lines = settingAt(settings, path);
  const [text, setText] = useState('');
  const isSame =
    linesOf(text)
      .map((line) => line.trim())
      .join('\n') === lines.join('\n');
  return (
    <Field label={label} help={help} path={path}>
      <Textarea
        isCode
        rows={2}
        value={isSame ? text : lines.join('\n')}
        onValue={(value) => {
          setText(value);
          set(
            path,
            linesOf(value).map((line) => line.trim()),
          );
        }}
      />
    </Field>
  );
}

/** Field for comma-separated numbers. Keeps the typed text while it parses to the current values. */
export function NumbersField({ path, label, help }: SettingFieldProps<PathTo<NumberEntry[]>>) {
  const { settings, set } = useSettingsForm();
  const values = settingAt(settings, path);
  const [text, setText] = useState('');
  const isSame = JSON.stringify(numbersOf(text)) === JSON.stringify(values);
  return (
    <Field label={label} help={help} path={path}>
      <Input
        value={isSame ? text : values.join(', ')}
        onValue={(value) => {
          setText(value);
          set(path, numbersOf(value));
        }}
      />
    </Field>
  );
}

function numbersOf(text: string): NumberEntry[] {
  return text.split(',').flatMap((one) => parseNumberEntry(one) ?? []);
}

type SelectFieldProps<Path extends SettingPath> = SettingFieldProps<Path> & {
  options: readonly (SettingAt<Path> & string)[];
  labelOf: (option: SettingAt<Path> & string) => string;
  also?: SettingPath;
};

/** Select for a fixed set of options. */
export function SelectField<Path extends PathTo<string>>(props: SelectFieldProps<Path>) {
  const { path, also, label, help, options, labelOf } = props;
  const { settings, set } = useSettingsForm();
  return (
    <Field label={label} help={help} path={also === undefined ? path : [path, also]}>
      <Select
        value={settingAt<PathTo<string>>(settings, path)}
        onValue={(value) => {
          const chosen = options.find((option) => option === value);
          if (chosen !== undefined) set(path, chosen);
        }}
      >
        <Options of={options.map((option) => [option, labelOf(option)])} />
      </Select>
    </Field>
  );
}

export function CheckField({ path, label, help }: SettingFieldProps<PathTo<boolean>>) {
  const { settings, set } = useSettingsForm();
  return (
    <CheckboxField
      label={label}
      help={help}
      path={path}
      checked={settingAt(settings, path)}
      onChange={({ target }) => set(path, target.checked)}
    />
  );
}

type ModelFieldProps = {
  path: PathTo<ModelReference | null>;
  label: string;
  help: string;
  none: string;
  /** True for an embedding model. Its suggestions are those of the provider's kind. */
  embeds?: boolean;
};

/** Selects the model of a role, or the default. */
export function ModelField({ path, embeds = false, ...props }: ModelFieldProps) {
  const { choices, settings, set } = useSettingsForm();
  return (
    <ModelChoice
      {...props}
      path={path}
      providers={embeds ? embeddingChoices(choices.providers) : choices.providers}
      value={settingAt(settings, path)}
      onChange={(model) => set(path, model)}
    />
  );
}

const EMBEDDING_MODELS: Record<string, readonly string[]> = Object.fromEntries(
  PROVIDER_KINDS.map((kind) => [kind, PROVIDER_DEFINITIONS[kind].embeddingModels]),
);

/** Returns the providers with suggested embedding models. Other names can be entered. */
function embeddingChoices(providers: readonly ProviderChoice[]): ProviderChoice[] {
  return providers.map(({ name }) => ({ name, models: EMBEDDING_MODELS[name] ?? [] }));
}
