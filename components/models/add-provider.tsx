'use client';

import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { OnlyFor } from '#components/access/only-for.tsx';
import { problemAt, refusalOf } from '#components/access/refusal-of.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import type { Problem } from '#lib/core/problem.ts';
import { PROVIDER_DEFINITIONS, PROVIDER_PRESETS, type ProviderPreset } from '#lib/providers/provider-kinds.ts';
import { freeName } from './free-name.ts';
import type { KeptTest, ProviderActions } from './shown-provider.ts';
import { TestResult } from './test-result.tsx';

type AddProviderProps = {
  /** Names that there are. */
  taken: readonly string[];
  actions: Pick<ProviderActions, 'add' | 'test'>;
};

const OTHER: ProviderPreset = {
  name: '',
  label: 'Another server',
  kind: 'openai-compatible',
  where: 'hosted',
  baseUrl: '',
};
const FIELDS = ['kind', 'name', 'baseUrl', 'apiKey'];

/** Adds a provider by key or address, and tries it at once. */
export function AddProvider({ taken, actions }: AddProviderProps) {
  const router = useRouter();
  const [preset, setPreset] = useState(() => PROVIDER_PRESETS.find(({ name }) => !taken.includes(name)) ?? OTHER);
  const [name, setName] = useState(preset.name);
  const [baseUrl, setBaseUrl] = useState(preset.baseUrl ?? '');
  const [apiKey, setApiKey] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [tested, setTested] = useState<KeptTest | null>(null);
  const [isBusy, startSending] = useTransition();
  const errorAt = (field: string) => problemAt(problem, field);

  function choose(label: string) {
    const next = PROVIDER_PRESETS.find((candidate) => candidate.label === label) ?? OTHER;
    setPreset(next);
    setName(next.name === '' ? '' : freeName(next.name, taken));
    setBaseUrl(next.baseUrl ?? '');
    setProblem(null);
    setTested(null);
  }

  function send(event: FormEvent) {
    event.preventDefault();
    setTested(null);
    startSending(async () => {
      const input = {
        name,
        kind: preset.kind,
        ...(baseUrl.trim() === '' ? {} : { baseUrl: baseUrl.trim() }),
        ...(apiKey === '' ? {} : { apiKey }),
      };
      const added = await actions
        .add(input)
        .catch((error: unknown) => refusalOf(error, 'Hone did not answer. Nothing was saved.'));
      if (!added.ok) return setProblem(added.problem);
      setProblem(null);
      setApiKey('');
      const outcome = await actions.test(name, null).catch(() => null);
      if (outcome?.ok) setTested(outcome.value);
      router.refresh();
    });
  }

  const options = (where: ProviderPreset['where']) =>
    PROVIDER_PRESETS.filter((candidate) => candidate.where === where).map(({ label }) => (
      <option key={label} value={label}>
        {label}
      </option>
    ));
  return (
    <OnlyFor needs="owner">
      <form className="flex flex-col gap-3" onSubmit={send} noValidate aria-label="Add provider">
        <Field label="Provider" error={errorAt('kind')}>
          <Select value={preset.label} onChange={(event) => choose(event.target.value)}>
            <optgroup label="Hosted">{options('hosted')}</optgroup>
            <optgroup label="Local machine or network">{options('local')}</optgroup>
            <optgroup label="Other">
              <option value={OTHER.label}>Any OpenAI-compatible server</option>
            </optgroup>
          </Select>
        </Field>
        <Field label="Name" help="Name in experiments" error={errorAt('name')}>
          <Input value={name} placeholder="my-server" onChange={(event) => setName(event.target.value)} />
        </Field>
        <Field label="Base URL" help={addressHelp(preset)} error={errorAt('baseUrl')}>
          <Input value={baseUrl} inputMode="url" onChange={(event) => setBaseUrl(event.target.value)} />
        </Field>
        <Field
          label="Key"
          help={
            preset.where === 'local'
              ? 'Leave empty if the server needs none.'
              : 'Stored encrypted. Only the last four characters are shown again.'
          }
          error={errorAt('apiKey')}
        >
          <Input
            type="password"
            value={apiKey}
            autoComplete="off"
            onChange={(event) => setApiKey(event.target.value)}
          />
        </Field>
        {problem && !FIELDS.includes(problem.field ?? '') ? (
          <p className="text-sm text-worse" role="alert">
            ✕ {problem.message}
          </p>
        ) : null}
        <div>
          <Button type="submit" variant="primary" disabled={isBusy}>
            <Plus className="size-3.25" aria-hidden />
            {isBusy ? 'Adding and testing' : 'Add and test'}
          </Button>
        </div>
        {tested ? <TestResult test={tested} /> : null}
      </form>
    </OnlyFor>
  );
}

function addressHelp({ kind, where, name }: ProviderPreset): string {
  if (name === '') return 'For example https://models.example.org/v1';
  if (PROVIDER_DEFINITIONS[kind].baseUrl !== null) return 'Leave empty for the default of the provider.';
  return where === 'local' ? 'Default address of the server' : 'Default of the provider. Change it to use a proxy.';
}
