'use client';

import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { MayTextLink } from '#components/access/may-link.tsx';
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
  actions: Pick<ProviderActions, 'add' | 'change' | 'test'>;
};

const OTHER: ProviderPreset = {
  name: '',
  label: 'Another server',
  kind: 'openai-compatible',
  where: 'hosted',
  baseUrl: '',
};
/** What a server without a name is called. */
const USUAL_NAME = 'my-server';
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
  // The provider that was added from here and did not work: what is entered now corrects it.
  const [failed, setFailed] = useState<string | null>(null);
  const [isBusy, startSending] = useTransition();
  const errorAt = (field: string) => problemAt(problem, field);
  const usedName = name.trim() || (failed ?? freeName(USUAL_NAME, taken));
  const corrects = failed !== null && failed === usedName;

  function choose(next: ProviderPreset, names = taken) {
    setPreset(next);
    setName(next.name === '' ? '' : freeName(next.name, names));
    setBaseUrl(next.baseUrl ?? '');
    setProblem(null);
    setTested(null);
    setFailed(null);
  }

  function send(event: FormEvent) {
    event.preventDefault();
    setTested(null);
    startSending(async () => {
      const entered = {
        ...(baseUrl.trim() === '' ? {} : { baseUrl: baseUrl.trim() }),
        ...(apiKey === '' ? {} : { apiKey }),
      };
      const saving = corrects
        ? actions.change(usedName, entered)
        : actions.add({ name: usedName, kind: preset.kind, ...entered });
      const saved = await saving.catch((error: unknown) => refusalOf(error, 'Hone did not answer. Nothing was saved.'));
      if (!saved.ok) return setProblem(saved.problem);
      setProblem(null);
      setApiKey('');
      const outcome = await actions.test(usedName, null).catch(() => null);
      if (outcome?.ok && outcome.value.ok) {
        const names = [...taken, usedName];
        choose(PROVIDER_PRESETS.find((one) => !names.includes(one.name)) ?? OTHER, names);
      } else setFailed(usedName);
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
          <Select
            value={preset.label}
            onChange={(event) => choose(PROVIDER_PRESETS.find(({ label }) => label === event.target.value) ?? OTHER)}
          >
            <optgroup label="Hosted">{options('hosted')}</optgroup>
            <optgroup label="Local machine or network">{options('local')}</optgroup>
            <optgroup label="Other">
              <option value={OTHER.label}>Any OpenAI-compatible server</option>
            </optgroup>
          </Select>
        </Field>
        <Field label="Name" help="Name in experiments" error={errorAt('name')}>
          <Input value={name} placeholder={usedName} onChange={(event) => setName(event.target.value)} />
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
            <MayTextLink needs="editor" href="/experiments/new">
              New experiment
            </MayTextLink>
            <MayTextLink needs="editor" href="/prompts/new">
              New prompt
            </MayTextLink>
          </p>
        ) : null}
      </form>
    </OnlyFor>
  );
}

function addressHelp({ kind, where, name }: ProviderPreset): string {
  if (name === '') return 'For example https://models.example.org/v1';
  if (PROVIDER_DEFINITIONS[kind].baseUrl !== null) return 'Leave empty for the default of the provider.';
  return where === 'local' ? 'Default address of the server' : 'Default of the provider. Change it to use a proxy.';
}
