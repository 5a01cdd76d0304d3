'use client';

import { ChevronRight, KeyRound } from 'lucide-react';
import { useState, useTransition } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { DeleteButton } from '#components/ui/delete-button.tsx';
import { formatNumberOf } from '#lib/format.ts';
import { fail, type Result } from '#lib/reflection/problem.ts';
import type { TestOutcome } from './provider-kinds.ts';
import { ProviderSettings } from './provider-settings.tsx';
import { TestResult } from './test-result.tsx';

/** A provider as the page shows it; its key is never among it. */
export type ShownProvider = {
  name: string;
  kind: string;
  baseUrl: string | null;
  hasKey: boolean;
  keyLastFour: string | null;
  source: 'built_in' | 'environment' | 'stored';
  maxConcurrency: number | null;
  maxRequestsPerMinute: number | null;
  prices: Record<string, { inputPerMillionUsd: number; outputPerMillionUsd: number }>;
  usedByExperiments: number;
};

type ProviderSectionProps = {
  provider: ShownProvider;
  test: () => Promise<Result<TestOutcome>>;
  change: (input: unknown) => Promise<Result<unknown>>;
  remove: () => Promise<Result<unknown>>;
};

/** One provider, folded to a line; opens to test, key, address, limit and prices. */
export function ProviderSection({ provider, test, change, remove }: ProviderSectionProps) {
  const [outcome, setOutcome] = useState<TestOutcome | null>(null);
  const [isTesting, startTesting] = useTransition();
  function tryIt() {
    startTesting(async () => {
      const result = await test().catch(() => fail('unavailable', 'Hone did not answer.'));
      setOutcome(result.ok ? result.value : { ok: false, message: result.problem.message, remedy: '', latencyMs: 0 });
    });
  }
  return (
    <details className="prov" data-testid={`provider-${provider.name}`}>
      <summary>
        <ChevronRight className="i s chev" aria-hidden />
        <b className="md5">{provider.name}</b>
        <span className="val muted sm trunc">{summaryOf(provider)}</span>
        <span>
          {outcome === null ? null : outcome.ok ? (
            <Badge tone="better">✓ works</Badge>
          ) : (
            <Badge tone="worse">✕ failed</Badge>
          )}
        </span>
      </summary>
      <div className="in stack gap-4">
        <div className="row wrap">
          <Button size="small" onClick={tryIt} disabled={isTesting}>
            {isTesting ? 'Testing' : 'Test connection'}
          </Button>
          {provider.hasKey ? (
            <span className="sm muted">
              <KeyRound className="i s" aria-hidden /> {keyWords(provider)}
            </span>
          ) : null}
          {provider.source === 'stored' ? (
            <span className="end">
              <DeleteButton
                name={provider.name}
                what={`The provider and its key${provider.usedByExperiments > 0 ? `, which ${formatNumberOf(provider.usedByExperiments, 'experiment')} use,` : ''}`}
                remove={remove}
                goTo="/models"
              />
            </span>
          ) : null}
        </div>
        {outcome ? <TestResult outcome={outcome} /> : null}
        {provider.source === 'stored' ? <ProviderSettings provider={provider} change={change} /> : null}
        {provider.source === 'environment' ? (
          <p className="sm muted">
            Its key comes from the environment Hone was started in. To set prices or an address, add a provider of the
            same name.
          </p>
        ) : null}
      </div>
    </details>
  );
}

function summaryOf(provider: ShownProvider): string {
  const used =
    provider.usedByExperiments === 0
      ? 'not used yet'
      : `used by ${formatNumberOf(provider.usedByExperiments, 'experiment')}`;
  if (provider.source === 'built_in') return `built in, no key, no network · practice-1 · ${used}`;
  return [provider.baseUrl ?? provider.kind, provider.hasKey ? keyWords(provider) : 'no key', used].join(' · ');
}

function keyWords(provider: ShownProvider): string {
  if (provider.keyLastFour !== null) return `key ends in ${provider.keyLastFour}`;
  return provider.source === 'stored' ? 'key stored' : 'key from the environment';
}
