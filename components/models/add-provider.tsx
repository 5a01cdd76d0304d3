'use client';

import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { fail, type Problem, type Result } from '#lib/reflection/problem.ts';
import { PROVIDER_KINDS, type ProviderKind, type TestOutcome } from './provider-kinds.ts';
import { TestResult } from './test-result.tsx';

type AddProviderProps = {
  add: (input: unknown) => Promise<Result<unknown>>;
  test: (name: string) => Promise<Result<TestOutcome>>;
};

/** Adds a provider by key or address, and tries it at once. */
export function AddProvider({ add, test }: AddProviderProps) {
  const router = useRouter();
  const [kind, setKind] = useState<ProviderKind>('openai');
  const [name, setName] = useState('openai');
  const [baseUrl, setBaseUrl] = useState('');
  const [apiKey, setApiKey] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [outcome, setOutcome] = useState<TestOutcome | null>(null);
  const [isBusy, startSending] = useTransition();
  const errorAt = (field: string) => (problem?.field === field ? problem.message : null);
  const needsAddress = PROVIDER_KINDS.find(({ value }) => value === kind)?.needsAddress ?? false;

  function chooseKind(value: string) {
    const next = PROVIDER_KINDS.find((candidate) => candidate.value === value)?.value ?? 'openai';
    setKind(next);
    setName(next === 'openai-compatible' ? '' : next);
    setOutcome(null);
  }

  function send(event: FormEvent) {
    event.preventDefault();
    setOutcome(null);
    startSending(async () => {
      const input = {
        name,
        kind,
        ...(baseUrl.trim() === '' ? {} : { baseUrl: baseUrl.trim() }),
        ...(apiKey === '' ? {} : { apiKey }),
      };
      const added = await add(input).catch(() => fail('unavailable', 'Hone did not answer. Nothing was saved.'));
      if (!added.ok) return setProblem(added.problem);
      setProblem(null);
      setApiKey('');
      const tested = await test(name).catch(() => null);
      if (tested?.ok) setOutcome(tested.value);
      router.refresh();
    });
  }

  return (
    <form className="stack gap-3" onSubmit={send} noValidate>
      <Field label="Kind" error={errorAt('kind')}>
        <Select value={kind} onChange={(event) => chooseKind(event.target.value)}>
          {PROVIDER_KINDS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Name" help="How experiments call it" error={errorAt('name')}>
        <Input value={name} placeholder="ollama" onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field
        label="Base URL"
        help={needsAddress ? 'For example http://127.0.0.1:11434/v1 for Ollama' : 'Empty for the provider’s own'}
        error={errorAt('baseUrl')}
      >
        <Input value={baseUrl} inputMode="url" onChange={(event) => setBaseUrl(event.target.value)} />
      </Field>
      <Field
        label="Key"
        help={
          needsAddress ? 'Empty if the server asks for none' : 'Stored encrypted; only its last four are shown again'
        }
        error={errorAt('apiKey')}
      >
        <Input type="password" value={apiKey} autoComplete="off" onChange={(event) => setApiKey(event.target.value)} />
      </Field>
      {problem && !['kind', 'name', 'baseUrl', 'apiKey'].includes(problem.field ?? '') ? (
        <p className="sm worse" role="alert">
          ✕ {problem.message}
        </p>
      ) : null}
      <div>
        <Button type="submit" variant="primary" disabled={isBusy}>
          <Plus className="i s" aria-hidden />
          {isBusy ? 'Adding and testing' : 'Add and test'}
        </Button>
      </div>
      {outcome ? <TestResult outcome={outcome} /> : null}
    </form>
  );
}
