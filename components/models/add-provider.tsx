'use client';

import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { RoleGate } from '#components/access/role-controls.tsx';
import { RoleTextLink } from '#components/access/role-link.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { type HeaderDraft, HeaderFields, headersOf } from '#components/ui/header-fields.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import {
  PROVIDER_DEFINITIONS,
  PROVIDER_OPTIONS,
  PROVIDER_PRESETS,
  type ProviderOptions,
  type ProviderPreset,
} from '#lib/providers/provider-kinds.ts';
import { OptionFields } from './option-fields.tsx';
import { changeProvider, freeName, type KeptTest, testProvider } from './shown-provider.ts';
import { TestResult } from './test-result.tsx';

const OTHER: ProviderPreset = {
  name: '',
  label: 'Another server',
  kind: 'openai-compatible',
  where: 'hosted',
  baseUrl: '',
};
/** Default name of a server. */
const USUAL_NAME = 'my-server';
const FIELDS = ['kind', 'name', 'baseUrl', 'apiKey', ...PROVIDER_OPTIONS.map((name) => `options.${name}`)];

const isInForm = (field: string) => FIELDS.includes(field) || field.startsWith('headers.');

/** Adds a provider by key or URL and tests it immediately. `taken`: names already in use. */
export function AddProvider({ taken }: { taken: readonly string[] }) {
  const router = useRouter();
  const [preset, setPreset] = useState(() => PROVIDER_PRESETS.find(({ name }) => !taken.includes(name)) ?? OTHER);
  const [name, setName] = useState(preset.name);
  const [baseUrl, setBaseUrl] = useState(preset.baseUrl ?? '');
  const [options, setOptions] = useState<ProviderOptions>({});
  const [apiKey, setApiKey] = useState('');
  const [headers, setHeaders] = useState<HeaderDraft[]>([]);
  const [model, setModel] = useState('');
  const [tested, setTested] = useState<KeptTest | null>(null);
  // Provider added here whose test failed. The next submit corrects it.
  const [failed, setFailed] = useState<string | null>(null);
  const { isBusy, problem, setProblem, errorAt, submit } = useSubmit('Hone did not respond. Nothing was saved.');
  const usedName = name.trim() || (failed ?? freeName(USUAL_NAME, taken));
  const corrects = failed !== null && failed === usedName;
  const { models, keyHelp } = PROVIDER_DEFINITIONS[preset.kind];
  const entered = 'entered' in models ? models.entered : null;

  function choose(next: ProviderPreset, names = taken) {
    setPreset(next);
    setName(next.name === '' ? '' : freeName(next.name, names));
    setBaseUrl(next.baseUrl ?? '');
    setOptions({});
    setHeaders([]);
    setModel('');
    setProblem(null);
    setTested(null);
    setFailed(null);
  }

  function send() {
    setTested(null);
    const input = {
      options,
      headers: headersOf(headers),
      ...(baseUrl.trim() === '' ? {} : { baseUrl: baseUrl.trim() }),
      ...(apiKey === '' ? {} : { apiKey }),
    };
    const saving = corrects
      ? changeProvider(usedName, input)
      : submitApi('POST /api/v1/providers', { body: { name: usedName, kind: preset.kind, ...input } });
    submit(saving, async () => {
      // The test can take a minute. The list shows the provider before it ends.
      router.refresh();
      setApiKey('');
      const testModel = entered === null || model.trim() === '' ? null : model.trim();
      const outcome = await testProvider(usedName, testModel).catch(() => null);
      if (outcome?.ok && outcome.value.ok) {
        const names = [...taken, usedName];
        choose(PROVIDER_PRESETS.find((one) => !names.includes(one.name)) ?? OTHER, names);
      } else setFailed(usedName);
      if (outcome?.ok) setTested(outcome.value);
    });
  }

  const presets = (where: ProviderPreset['where']) =>
    PROVIDER_PRESETS.filter((candidate) => candidate.where === where).map(({ label }) => (
      <option key={label} value={label}>
        {label}
      </option>
    ));
  return (
    <RoleGate needs="owner">
      <SubmitForm className="flex flex-col gap-3" onSubmit={send} aria-label="Add provider">
        <Field label="Provider" error={errorAt('kind')}>
          <Select
            value={preset.label}
            onValue={(value) => choose(PROVIDER_PRESETS.find(({ label }) => label === value) ?? OTHER)}
          >
            <optgroup label="Hosted">{presets('hosted')}</optgroup>
            <optgroup label="Local machine or network">{presets('local')}</optgroup>
            <optgroup label="Other">
              <option value={OTHER.label}>Any OpenAI-compatible server</option>
            </optgroup>
          </Select>
        </Field>
        <Field label="Name" help="Name in experiments" error={errorAt('name')}>
          <Input value={name} placeholder={usedName} onValue={setName} />
        </Field>
        <OptionFields
          kind={preset.kind}
          options={options}
          errorOf={(name) => errorAt(`options.${name}`)}
          onChange={(name, value) => setOptions({ ...options, [name]: value })}
        />
        <Field label="Base URL" help={addressHelp(preset)} error={errorAt('baseUrl')}>
          <Input value={baseUrl} inputMode="url" onValue={setBaseUrl} />
        </Field>
        <Field
          label="Key"
          help={
            preset.where === 'local'
              ? 'Leave empty if the server needs none.'
              : `${keyHelp === undefined ? '' : `${keyHelp} `}Stored encrypted. Only the last four characters are shown again.`
          }
          error={errorAt('apiKey')}
        >
          <Input type="password" value={apiKey} onValue={setApiKey} />
        </Field>
        <details>
          <summary className="cursor-pointer text-ink-2 text-sm">Headers</summary>
          <div className="mt-2">
            <HeaderFields headers={headers} errorOf={(header) => errorAt(`headers.${header}`)} onChange={setHeaders} />
          </div>
        </details>
        {entered === null ? null : (
          <Field label={`Test with ${entered}`} help="Sends two small requests to it.">
            <Input value={model} onValue={setModel} />
          </Field>
        )}
        {problem && !isInForm(problem.field ?? '') ? <InlineError>{problem.message}</InlineError> : null}
        <div>
          <Button type="submit" variant="primary" disabled={isBusy}>
            <Plus />
            {corrects
              ? isBusy
                ? 'Saving and testing'
                : 'Save and test'
              : isBusy
                ? 'Adding and testing'
                : 'Add and test'}
          </Button>
        </div>
        {tested ? <TestResult test={tested} /> : null}
        {tested?.ok ? (
          <p className="flex flex-wrap gap-x-4">
            <RoleTextLink needs="editor" href="/experiments/new">
              New experiment
            </RoleTextLink>
            <RoleTextLink needs="editor" href="/prompts/new">
              New prompt
            </RoleTextLink>
          </p>
        ) : null}
      </SubmitForm>
    </RoleGate>
  );
}

function addressHelp({ kind, where, name }: ProviderPreset): string {
  if (name === '') return 'For example https://models.example.org/v1';
  const { baseUrl, baseUrlFrom } = PROVIDER_DEFINITIONS[kind];
  if (baseUrl !== null || baseUrlFrom !== undefined) return 'Leave empty for the default of the provider.';
  return where === 'local' ? 'Default address of the server' : 'Default of the provider. Change it to use a proxy.';
}
