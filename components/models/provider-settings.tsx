'use client';

import { Plus, X } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { fail, type Problem, type Result } from '#lib/reflection/problem.ts';
import type { ShownProvider } from './provider-section.tsx';

type PriceDraft = { key: number; model: string; input: string; output: string };
type ProviderSettingsProps = { provider: ShownProvider; change: (input: unknown) => Promise<Result<unknown>> };

/** Key, address, limit and prices of a stored provider. The key's field is empty: what is stored is never shown. */
export function ProviderSettings({ provider, change }: ProviderSettingsProps) {
  const router = useRouter();
  const toast = useToast();
  const [baseUrl, setBaseUrl] = useState(provider.baseUrl ?? '');
  const [apiKey, setApiKey] = useState('');
  const [limit, setLimit] = useState(provider.maxConcurrency === null ? '' : String(provider.maxConcurrency));
  const [rate, setRate] = useState(provider.maxRequestsPerMinute === null ? '' : String(provider.maxRequestsPerMinute));
  const [prices, setPrices] = useState<PriceDraft[]>(() =>
    Object.entries(provider.prices).map(([model, price], key) => ({
      key,
      model,
      input: String(price.inputPerMillionUsd),
      output: String(price.outputPerMillionUsd),
    })),
  );
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSaving, startSaving] = useTransition();
  const errorAt = (field: string) => (problem?.field === field ? problem.message : null);
  const moved = baseUrl.trim() !== (provider.baseUrl ?? '');

  function send(event: FormEvent) {
    event.preventDefault();
    startSaving(async () => {
      const input = {
        ...(moved ? { baseUrl: baseUrl.trim() === '' ? null : baseUrl.trim() } : {}),
        ...(apiKey === '' ? {} : { apiKey }),
        maxConcurrency: limit.trim() === '' ? null : Number(limit),
        maxRequestsPerMinute: rate.trim() === '' ? null : Number(rate),
        prices: Object.fromEntries(
          prices
            .filter(({ model }) => model.trim() !== '')
            .map(({ model, input: inputPrice, output }) => [
              model.trim(),
              { inputPerMillionUsd: numberOf(inputPrice), outputPerMillionUsd: numberOf(output) },
            ]),
        ),
      };
      const result = await change(input).catch(() => fail('unavailable', 'Hone did not answer. Nothing was saved.'));
      if (!result.ok) return setProblem(result.problem);
      setProblem(null);
      setApiKey('');
      toast(`Saved ${provider.name}`);
      router.refresh();
    });
  }
  const setPrice = (key: number, changes: Partial<PriceDraft>) =>
    setPrices((all) => all.map((price) => (price.key === key ? { ...price, ...changes } : price)));

  return (
    <form className="stack gap-4" onSubmit={send} noValidate>
      <div className="grid3">
        <Field label="New key" help="Stored encrypted; only the last four are shown again" error={errorAt('apiKey')}>
          <Input
            type="password"
            autoComplete="off"
            value={apiKey}
            placeholder={provider.keyLastFour ? `replaces the one ending in ${provider.keyLastFour}` : ''}
            onChange={(event) => setApiKey(event.target.value)}
          />
        </Field>
        <Field label="Base URL" help="A changed address drops the stored key" error={errorAt('baseUrl')}>
          <Input inputMode="url" value={baseUrl} onChange={(event) => setBaseUrl(event.target.value)} />
        </Field>
        <Field label="Calls at once" help="1 to 1,000; empty for no limit" error={errorAt('maxConcurrency')}>
          <Input numeric value={limit} onChange={(event) => setLimit(event.target.value)} />
        </Field>
        <Field
          label="Calls a minute"
          help="1 to 100,000, evenly spaced; empty for no limit"
          error={errorAt('maxRequestsPerMinute')}
        >
          <Input numeric value={rate} onChange={(event) => setRate(event.target.value)} />
        </Field>
      </div>
      <fieldset className="stack gap-2">
        <legend className="lbl">Prices, dollars for a million tokens</legend>
        {prices.map((price, index) => (
          <div key={price.key} className="row al">
            <Field label={`Model ${index + 1}`} hideLabel className="grow">
              <Input
                className="mono"
                placeholder="model"
                value={price.model}
                onChange={(event) => setPrice(price.key, { model: event.target.value })}
              />
            </Field>
            <Field
              label={`Input price of ${price.model}`}
              hideLabel
              error={errorAt(`prices.${price.model}.inputPerMillionUsd`)}
            >
              <Input
                numeric
                placeholder="input"
                value={price.input}
                onChange={(event) => setPrice(price.key, { input: event.target.value })}
              />
            </Field>
            <Field
              label={`Output price of ${price.model}`}
              hideLabel
              error={errorAt(`prices.${price.model}.outputPerMillionUsd`)}
            >
              <Input
                numeric
                placeholder="output"
                value={price.output}
                onChange={(event) => setPrice(price.key, { output: event.target.value })}
              />
            </Field>
            <Button
              variant="ghost"
              size="icon"
              aria-label={`Remove the price of ${price.model || `model ${index + 1}`}`}
              onClick={() => setPrices((all) => all.filter(({ key }) => key !== price.key))}
            >
              <X className="i s" aria-hidden />
            </Button>
          </div>
        ))}
        <div>
          <Button
            size="small"
            onClick={() =>
              setPrices((all) => [
                ...all,
                { key: Math.max(-1, ...all.map(({ key }) => key)) + 1, model: '', input: '', output: '' },
              ])
            }
          >
            <Plus className="i s" aria-hidden />
            Add a price
          </Button>
        </div>
        <p className="sm faint">
          Models without a price here take the public one where it is known. Without a price a cost budget can’t hold.
        </p>
      </fieldset>
      {problem && !['apiKey', 'baseUrl', 'maxConcurrency', 'maxRequestsPerMinute'].includes(problem.field ?? '') ? (
        <p className="sm worse" role="alert">
          ✕ {problem.message}
        </p>
      ) : null}
      <div>
        <Button type="submit" disabled={isSaving}>
          {isSaving ? 'Saving' : 'Save'}
        </Button>
      </div>
    </form>
  );
}

/** The number typed, or the text itself so that the answer can name it. */
function numberOf(text: string): unknown {
  const number = Number(text.trim().replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(number) ? number : text;
}
