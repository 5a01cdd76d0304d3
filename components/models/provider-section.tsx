'use client';

import { KeyRound, Play } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { DeleteButton } from '#components/access/delete-button.tsx';
import { RoleButton, RoleGate } from '#components/access/role-controls.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Combobox } from '#components/ui/combobox.tsx';
import { Field, Input } from '#components/ui/field.tsx';
import { Fold, FoldBody } from '#components/ui/fold-section.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { loadOrRetry } from '#components/ui/load-or-retry.tsx';
import { TimeAgo } from '#components/ui/local-time.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { parseNumberEntry } from '#components/ui/parse-entries.ts';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { formatDuration, formatList, formatNumberOf, formatSentence } from '#lib/format.ts';
import type { ProviderUse } from '#lib/models/queries.ts';
import type { ProviderTest } from '#lib/providers/provider-test.ts';
import {
  REFUSABLE_PARAMETERS,
  type RefusedParameter,
  refusedParameterText,
} from '#lib/providers/refused-parameter-record.ts';
import type { HeldBatch } from '#lib/runs/hold-batch.ts';
import { changeProvider, type KeptTest, type ShownProvider, testProvider } from './shown-provider.ts';
import { TestResult } from './test-result.tsx';

type ProviderSectionProps = {
  provider: ShownProvider;
  /** Batches on hold because of this provider. */
  heldBatches: readonly HeldBatch[];
  /** True if the URL names the provider. It is then open with the key field first. */
  isAsked: boolean;
};

/** Loaded when a section is first opened. */
const ProviderSettings = dynamic(() =>
  loadOrRetry(() => import('./provider-settings.tsx').then((file) => file.ProviderSettings)),
);

/** Collapsed section of one provider. Contains its test, usage, key, URL and limits. */
export function ProviderSection({ provider, heldBatches, isAsked }: ProviderSectionProps) {
  const router = useRouter();
  const [latest, setLatest] = useState<KeptTest | null>(null);
  const [wasOpened, setOpened] = useState(isAsked);
  const section = useRef<HTMLDetailsElement>(null);
  // It may have been opened before hydration.
  useEffect(() => setOpened(section.current?.open ?? false), []);
  const testing = useSubmit('Hone did not respond.');
  const resuming = useSubmit('Hone did not respond. Check the list of runs.', { refreshes: 'always' });
  const problem = testing.problem ?? resuming.problem;
  const isTesting = testing.isBusy;
  const { name, source, use } = provider;
  const isRefused = provider.keyState?.state === 'refused';
  // The stored test may be newer than the one made on this page, or deleted after a URL change.
  const test = latest !== null && (provider.test === null || latest.at > provider.test.at) ? latest : provider.test;

  function resume(batchId: string, experimentId: string) {
    resuming.submit(submitApi('POST /api/v1/batches/{id}/resume', { params: { id: batchId } }), () =>
      router.push(`/experiments/${experimentId}?batch=${batchId}`),
    );
  }

  function tryIt(model: string | null, temperature?: string) {
    testing.submit(testProvider(name, model, temperature), setLatest);
  }

  return (
    <Fold
      ref={section}
      size="row"
      data-testid={`provider-${name}`}
      open={isAsked}
      onToggle={() => setOpened(true)}
      title={
        <b className="min-w-0 truncate font-medium" title={name}>
          {name}
        </b>
      }
      summary={
        <>
          {summaryOf(provider)}
          {test === null ? null : <TestedAt test={test} />}
        </>
      }
      mark={isTesting ? <Badge>testing</Badge> : <State provider={provider} test={test} />}
    >
      <FoldBody className="flex flex-col gap-4 pb-4 *:max-w-none">
        <div className="flex flex-wrap items-center gap-2">
          <RoleButton needs="owner" size="small" onClick={() => tryIt(null)} disabled={isTesting}>
            {isTesting ? 'Testing' : provider.hasKey ? 'Test key' : 'Test connection'}
          </RoleButton>
          <span className="text-ink-2 text-sm">Makes one small model call.</span>
          {provider.hasKey ? (
            <span className="text-ink-2 text-sm">
              <KeyRound /> {providerKeyLabel(provider)}
            </span>
          ) : null}
          {source === 'stored' ? (
            <span className="ml-auto">
              <DeleteButton
                needs="owner"
                name={name}
                what={deletionLabel(provider)}
                route="DELETE /api/v1/providers/{name}"
                request={{ params: { name }, query: { evenInUse: 'true' } }}
                goTo="/models"
              />
            </span>
          ) : null}
        </div>
        {problem === null ? null : <InlineError>{problem.message}</InlineError>}
        {isRefused && test?.ok !== false ? (
          <Notice tone="worse" alert title="The provider refused the key">
            {formatSentence(provider.keyState?.message ?? '')} Enter a new key below.
          </Notice>
        ) : null}
        {heldBatches.map((batch) => (
          <HeldBatchNotice
            key={batch.id}
            batch={batch}
            isRefused={isRefused}
            isBusy={resuming.isBusy}
            onResume={() => resume(batch.id, batch.experimentId)}
          />
        ))}
        {test ? <TestResult test={withoutRefusals(test, name)} /> : null}
        <TryModel models={test?.models ?? []} isBusy={isTesting} ask={tryIt} isFree={source === 'built_in'} />
        <RefusedParameters provider={name} refused={provider.refused} />
        <ProviderUsers use={use} />
        {source === 'built_in' || !wasOpened ? null : (
          <ProviderSettings
            provider={provider}
            isKeyAsked={isAsked}
            onMoved={() => {
              setLatest(null);
              tryIt(null);
            }}
          />
        )}
        {source === 'environment' ? (
          <p className="text-ink-2 text-sm">
            The key comes from the environment of Hone. Settings you change here are stored in addition.
          </p>
        ) : null}
      </FoldBody>
    </Fold>
  );
}

function TestedAt({ test }: { test: KeptTest }) {
  return (
    <>
      {' '}
      · tested <TimeAgo moment={test.at} />
      {test.ok ? `: ${formatDuration(test.latencyMs)}` : null}
    </>
  );
}

type HeldBatchNoticeProps = { batch: HeldBatch; isRefused: boolean; isBusy: boolean; onResume: () => void };

/** Offers to resume a batch on hold, unless the provider still refuses the key. */
function HeldBatchNotice({ batch, isRefused, isBusy, onResume }: HeldBatchNoticeProps) {
  return (
    <Notice
      tone="wait"
      title={`${formatNumberOf(batch.runs, 'run')} of ${batch.experimentName} wait for this provider`}
      actions={
        <RoleButton
          needs="editor"
          size="small"
          disabled={isBusy || isRefused}
          title={isRefused ? 'Enter a working key first' : undefined}
          onClick={onResume}
        >
          <Play />
          {isBusy ? 'Resuming' : 'Resume batch'}
        </RoleButton>
      }
    >
      Fix the cause, then resume. Saved responses are not billed again.
    </Notice>
  );
}

/** Removes warnings about refused parameters from a test, because those are listed separately while they apply. */
function withoutRefusals(test: KeptTest, provider: string): KeptTest {
  if (test.call === null) return test;
  const { model, warnings } = test.call;
  const refusals = REFUSABLE_PARAMETERS.map((parameter) => refusedParameterText(`${provider}/${model}`, parameter));
  return { ...test, call: { ...test.call, warnings: warnings.filter((warning) => !refusals.includes(warning)) } };
}

/** Shows the state of the key, or of a server without one. A later failed test overrides a key that worked before. */
function State({ provider, test }: { provider: ShownProvider; test: KeptTest | null }) {
  const { source, keyState, hasKey } = provider;
  if (source === 'built_in') return <Badge tone="better">✓ Works</Badge>;
  if (keyState?.state === 'refused') return <Badge tone="worse">✕ Key refused</Badge>;
  if (test !== null && !test.ok && (keyState === null || test.at > keyState.at))
    return <Badge tone="worse">✕ {failureLabel(test)}</Badge>;
  if (keyState === null) return <Badge>{hasKey ? 'Key not tested' : 'Not tested'}</Badge>;
  return (
    <Badge tone="better">
      <span>
        ✓ {hasKey ? 'Key works' : 'Works'}
        {test?.call?.json === 'prompt' ? ', JSON by prompt' : ''}
        <span className="max-narrow:hidden">
          , <TimeAgo moment={keyState.at} />
        </span>
      </span>
    </Badge>
  );
}

function summaryOf(provider: ShownProvider): string {
  if (provider.source === 'built_in') return `built in, no key or network needed · practice-1 · ${usedBy(provider)}`;
  const models = provider.test?.models.length ?? 0;
  return [
    provider.baseUrl ?? provider.kind,
    provider.hasKey ? providerKeyLabel(provider) : 'no key',
    ...(models > 0 ? [formatNumberOf(models, 'model')] : []),
    usedBy(provider),
  ].join(' · ');
}

function usedBy({ use }: ShownProvider): string {
  const counts = [
    ...(use.experiments > 0 ? [formatNumberOf(use.experiments, 'experiment')] : []),
    ...(use.prompts > 0 ? [formatNumberOf(use.prompts, 'prompt')] : []),
  ];
  return counts.length === 0 ? 'not used yet' : `used by ${formatList(counts)}`;
}

function providerKeyLabel(provider: ShownProvider): string {
  if (provider.keyLastFour !== null) return `key ends in ${provider.keyLastFour}`;
  return provider.source === 'stored' ? 'key stored' : 'key from the environment';
}

function deletionLabel({ use }: ShownProvider): string {
  const total = use.experiments + use.prompts;
  if (total === 0) return 'The provider and its key';
  const names = use.named.slice(0, 5).map(({ name }) => name);
  const rest = total - names.length;
  const users = formatList(rest > 0 ? [...names, `${rest} more`] : names);
  return `${users} ${total === 1 ? 'uses' : 'use'} this provider. Their next runs will fail. The provider and its key`;
}

function failureLabel({ failed }: Pick<ProviderTest, 'failed'>): string {
  const texts: Partial<Record<NonNullable<typeof failed>, string>> = {
    no_key: 'no key',
    unauthorized: 'key refused',
    forbidden: 'not allowed',
    rate_limited: 'too many calls',
    timeout: 'no answer',
    network: 'no connection',
    no_list: 'no model list',
    not_found: 'not found',
    month_budget: 'over budget',
  };
  return (failed && texts[failed]) ?? 'failed';
}

function ProviderUsers({ use }: { use: ProviderUse }) {
  const rest = use.experiments + use.prompts - use.named.length;
  if (use.named.length === 0) return null;
  return (
    <div className="text-sm">
      <p className="text-ink-2">Used by</p>
      <ul className="flex flex-wrap items-center gap-x-4 gap-y-1">
        {use.named.map(({ kind, id, name, roles }) => (
          <li key={`${kind} ${id}`} className="wrap-anywhere min-w-0">
            <TextLink href={kind === 'experiment' ? `/experiments/${id}` : `/prompts/${encodeURIComponent(id)}`}>
              {name}
            </TextLink>{' '}
            <span className="text-ink-3">{formatList(roles)}</span>
          </li>
        ))}
        {rest > 0 ? <li className="text-ink-3">and {rest} more</li> : null}
      </ul>
    </div>
  );
}

type TryModelProps = {
  models: readonly string[];
  isBusy: boolean;
  isFree: boolean;
  ask: (model: string, temperature?: string) => void;
};

/** Tests one model with a real call: if it responds, supports JSON and uses tools. */
function TryModel({ models, isBusy, isFree, ask }: TryModelProps) {
  const [model, setModel] = useState(models.length === 1 ? (models[0] ?? '') : '');
  const [temperature, setTemperature] = useState('');
  const name = model.trim();
  return (
    <RoleGate needs="owner" isSilent>
      <SubmitForm
        className="flex flex-wrap items-end gap-2"
        onSubmit={() => {
          if (name !== '') ask(name, temperature.trim() === '' ? undefined : String(parseNumberEntry(temperature)));
        }}
      >
        <Field
          label="Test a model"
          className="min-w-0 flex-[1_1_14rem]"
          help={`Tests JSON output and tool calls. ${isFree ? 'Free of charge.' : 'Uses a few hundred tokens.'}`}
        >
          <Combobox value={model} options={models} placeholder="model ID" onChange={setModel} />
        </Field>
        <Field label="Temperature" className="w-40" help="Default: as in runs">
          <Input numeric value={temperature} onValue={setTemperature} />
        </Field>
        <Button type="submit" size="small" className="mb-6" disabled={isBusy || name === ''}>
          Test model
        </Button>
      </SubmitForm>
    </RoleGate>
  );
}

type RefusedParametersProps = { provider: string; refused: readonly RefusedParameter[] };

/** Lists parameters that models refused and that Hone no longer sends. Renders nothing if there are none. */
function RefusedParameters({ provider, refused }: RefusedParametersProps) {
  const { isBusy, problem, submit } = useSubmit('Hone did not respond. Nothing was changed.', { refreshes: 'always' });
  if (refused.length === 0) return null;
  const models = [...new Set(refused.map(({ model }) => model))];

  return (
    <section aria-label="Refused parameters">
      <h3 className="mb-2">Refused parameters</h3>
      <ul className="flex flex-col gap-2">
        {models.map((model) => (
          <li key={model} className="flex flex-wrap items-center gap-2">
            <div className="min-w-0 flex-[1_1_16rem]">
              {refused
                .filter((one) => one.model === model)
                .map(({ parameter, message }) => (
                  <p key={parameter} className="wrap-anywhere text-sm" title={message}>
                    ▲ {refusedParameterText(`${provider}/${model}`, parameter)}
                  </p>
                ))}
            </div>
            <RoleButton
              needs="owner"
              size="small"
              disabled={isBusy}
              onClick={() => submit(changeProvider(provider, { forgetRefused: [model] }))}
            >
              Send again<span className="sr-only"> to {model}</span>
            </RoleButton>
          </li>
        ))}
      </ul>
      {problem === null ? null : <InlineError>{problem.message}</InlineError>}
    </section>
  );
}
