'use client';

import { Play } from 'lucide-react';
import { parseAsString, useQueryState } from 'nuqs';
import { useEffect, useRef, useState } from 'react';
import { DeleteButton } from '#components/access/delete-button.tsx';
import { RoleButton } from '#components/access/role-controls.tsx';
import { RoleLink } from '#components/access/role-link.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { TraceText } from '#components/answer/trace-text.tsx';
import { submitApi } from '#components/api/call-api.ts';
import { passInput } from '#components/case/typed-input.ts';
import { Badge } from '#components/ui/badge.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Field, Input, Textarea } from '#components/ui/field.tsx';
import { Fold, FoldBody } from '#components/ui/fold-section.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { LocalMoments, TimeAgo } from '#components/ui/local-time.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { PaneNote } from '#components/ui/pane.tsx';
import { parseNumberEntry } from '#components/ui/parse-entries.ts';
import { StoredInput } from '#components/ui/stored-input.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { storedFieldError, useStoredField } from '#components/ui/use-stored-field.ts';
import type { Result } from '#lib/core/problem.ts';
import { formatDuration, formatNumberOf, formatScore } from '#lib/format.ts';
import type { TargetTest } from '#lib/model-calls/test-target.ts';
import type { TargetView } from '#lib/targets/schema.ts';
import { useTargets } from './use-targets.ts';

/** List of targets as collapsible sections. */
export function TargetList({ initial }: { initial: TargetView[] }) {
  const targets = useTargets(initial);
  if (targets.length === 0) return <PaneNote>No targets yet. Connect your app to use it in an experiment.</PaneNote>;
  return targets.map((target) => <TargetSection key={target.name} target={target} />);
}

function TargetSection({ target }: { target: TargetView }) {
  const { name, kind, url, workers, components, experiments } = target;
  const names = Object.keys(components);
  const [linked, setLinked] = useQueryState('target', parseAsString);
  const [isOpen, setOpen] = useState(false);
  const row = useRef<HTMLDetailsElement>(null);
  const isLinked = linked === name;
  useEffect(() => {
    if (!isLinked) return;
    setOpen(true);
    row.current?.scrollIntoView({ block: 'center' });
    row.current?.querySelector('summary')?.focus({ preventScroll: true });
    // Clears the parameter so that the same target can be opened again.
    setLinked(null);
  }, [isLinked, setLinked]);
  return (
    <Fold
      ref={row}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      size="row"
      data-testid={`target-${name}`}
      title={
        <b className="min-w-0 truncate font-medium" title={name}>
          {name}
        </b>
      }
      summary={[
        kind === 'http' ? url : 'connects to Hone',
        formatNumberOf(names.length, 'component'),
        experiments.length === 0 ? 'not used yet' : `used by ${formatNumberOf(experiments.length, 'experiment')}`,
      ].join(' · ')}
      mark={
        kind === 'http' ? null : workers.length > 0 ? (
          <Badge tone="better">✓ {workers.length === 1 ? 'connected' : `${workers.length} connected`}</Badge>
        ) : (
          <Badge>not connected</Badge>
        )
      }
    >
      <FoldBody className="flex flex-col gap-4 pb-4 *:max-w-none">
        <TestTarget name={name} />
        {names.length === 0 ? null : (
          <div className="flex flex-col gap-2">
            {names.map((component) => (
              <div key={component} className="flex flex-col gap-1">
                <span className="text-sm">
                  <b className="font-medium">{component}</b>{' '}
                  <span className="text-ink-2">{components[component]?.description}</span>
                </span>
                <CodeBlock>{components[component]?.text}</CodeBlock>
              </div>
            ))}
          </div>
        )}
        {workers.length === 0 ? null : (
          <p className="text-ink-2 text-sm">
            {workers.slice(0, 5).map(({ worker, seenAt }) => (
              <span key={worker} className="mr-4">
                {worker}, seen <TimeAgo moment={seenAt} />
              </span>
            ))}
          </p>
        )}
        {experiments.length === 0 ? null : (
          <ul className="flex flex-wrap gap-x-4 text-sm">
            {experiments.map(({ id, name: experiment }) => (
              <li key={id}>
                <TextLink href={`/experiments/${id}`}>{experiment}</TextLink>
              </li>
            ))}
          </ul>
        )}
        <TargetSettings target={target} />
        <div className="flex justify-end">
          <DeleteButton
            needs="owner"
            name={name}
            what={
              experiments.length === 0
                ? 'The target'
                : `${formatNumberOf(experiments.length, 'experiment')} ${experiments.length === 1 ? 'uses' : 'use'} this target. Their next runs will fail. The target`
            }
            route="DELETE /api/v1/targets/{name}"
            request={{ params: { name }, query: { evenInUse: 'true' } }}
            goTo="/targets"
          />
        </div>
      </FoldBody>
    </Fold>
  );
}

function TestTarget({ name }: { name: string }) {
  const [input, setInput] = useState('Hello');
  const [result, setResult] = useState<{ sent: string; tested: Result<TargetTest> } | null>(null);
  const { isBusy, settle } = useSubmit('Hone did not respond.', { refreshes: false });
  const test = () => submitApi('POST /api/v1/targets/{name}/test', { params: { name }, body: { input } });
  return (
    <div className="flex flex-col gap-3">
      <Field label="Input of a test case">
        <Textarea rows={2} value={input} onValue={setInput} />
      </Field>
      <div>
        <RoleButton
          needs="editor"
          size="small"
          disabled={isBusy || input === ''}
          onClick={() => settle(test(), (tested) => setResult({ sent: input, tested }))}
        >
          <Play />
          {isBusy ? 'Waiting for the app' : 'Send test case'}
        </RoleButton>
      </div>
      {result === null ? null : result.tested.ok ? (
        <TestOutcome test={result.tested.value} />
      ) : (
        <InlineError>{result.tested.problem.message}</InlineError>
      )}
      {result?.tested.ok && result.tested.value.ok ? (
        <div>
          <RoleLink
            needs="editor"
            size="small"
            href={`/experiments/new?target=${encodeURIComponent(name)}`}
            onClick={() => passInput(name, result.sent)}
          >
            Create an experiment
          </RoleLink>
        </div>
      ) : null}
    </div>
  );
}

function TestOutcome({ test }: { test: TargetTest }) {
  const { ok, message, remedy, output, score, feedback, trace, latencyMs } = test;
  if (!ok)
    return (
      <Notice tone="worse" alert title={message}>
        <LocalMoments text={remedy} />
      </Notice>
    );
  return (
    <div className="flex flex-col gap-2" role="status">
      <p className="text-sm">
        <span className="text-better">✓ {message}</span> {formatDuration(latencyMs)}
        {score === null ? '' : ` · its own score: ${formatScore(score)}`}
      </p>
      <CodeBlock>{output === '' ? '(empty output)' : output}</CodeBlock>
      {feedback === '' ? null : <p className="text-ink-2 text-sm">{feedback}</p>}
      {trace === '' ? null : (
        <details>
          <summary className="cursor-pointer text-ink-2 text-sm">Trace</summary>
          <TraceText trace={trace} />
        </details>
      )}
    </div>
  );
}

function TargetSettings({ target }: { target: TargetView }) {
  const toast = useToast();
  const [secret, setSecret] = useState('');
  // A secret is entered for the URL shown, so the URL must not change unnoticed.
  const url = useStoredField(target.url ?? '', secret !== '');
  const timeout = useStoredField(String(target.timeoutSeconds ?? ''));
  const most = useStoredField(String(target.maxConcurrency ?? ''));
  const { isBusy, problem, errorAt, submit } = useSubmit('Hone did not respond. Nothing was saved.');
  const changes = {
    ...(timeout.isChanged && { timeoutSeconds: parseNumberEntry(timeout.value) }),
    ...(most.isChanged && { maxConcurrency: parseNumberEntry(most.value) }),
    ...(url.isChanged && { url: url.value }),
    ...(secret !== '' && { secret }),
  };
  const isChanged = Object.keys(changes).length > 0;
  function send() {
    const seen = (url.isChanged || secret !== '') && { seenUrl: url.stored };
    const body = { kind: target.kind, ...seen, ...changes };
    submit(submitApi('PUT /api/v1/targets/{name}', { params: { name: target.name }, body }), () => {
      setSecret('');
      for (const { saved } of [url, timeout, most]) saved();
      toast(`Saved ${target.name}`);
    });
  }
  return (
    <SubmitForm onSubmit={send} className="grid grid-cols-1 narrow:grid-cols-2 gap-4">
      {target.kind === 'sdk' ? null : (
        <>
          <StoredInput
            label="URL"
            help="Changing the URL deletes the secret."
            error={storedFieldError(url, errorAt('url'), problem)}
            field={url}
          />
          <Field
            label="New secret"
            help={target.hasSecret ? 'A secret is stored.' : 'No secret is stored.'}
            error={errorAt('secret')}
          >
            <Input type="password" value={secret} onValue={setSecret} />
          </Field>
        </>
      )}
      <StoredInput
        label="Timeout (seconds)"
        help="Leave empty for 300."
        error={storedFieldError(timeout, errorAt('timeoutSeconds'), problem)}
        field={timeout}
        numeric
      />
      <StoredInput
        label="Maximum concurrent calls"
        help="Leave empty for no limit."
        error={storedFieldError(most, errorAt('maxConcurrency'), problem)}
        field={most}
        numeric
      />
      <div className="flex flex-wrap items-center gap-3">
        <RoleButton needs="owner" size="small" type="submit" disabled={isBusy || !isChanged}>
          {isBusy ? 'Saving' : 'Save settings'}
        </RoleButton>
        {problem === null || problem.field !== null ? null : <InlineError>{problem.message}</InlineError>}
      </div>
    </SubmitForm>
  );
}
