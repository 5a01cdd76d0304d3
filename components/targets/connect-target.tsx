'use client';

import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type FormEvent, useId, useState, useTransition } from 'react';
import { MayButton } from '#components/access/may-button.tsx';
import { MayTextLink } from '#components/access/may-link.tsx';
import { refusalOf } from '#components/access/refusal-of.ts';
import { callApi } from '#components/api/call-api.ts';
import { CopyCode } from '#components/docs/copy-code.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Field, Input, Textarea } from '#components/ui/field.tsx';
import { ErrorLine, FormErrors } from '#components/ui/form-errors.tsx';
import { Link } from '#components/ui/link.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { type Problem, problemsOf, type Result } from '#lib/core/problem.ts';
import { CONNECT_WAYS, type ConnectWay, connectSample, startCommand } from './connect-samples.ts';

type Save = (name: string, input: unknown) => Promise<Result<unknown>>;

type ConnectTargetProps = {
  /** Where Hone is reached. */
  address: string;
  /** Whether programs need an API token. */
  needsToken: boolean;
  /** Names of targets that are there. */
  taken: readonly string[];
  save: Save;
};

const WAY_LABELS: Record<ConnectWay, string> = { typescript: 'TypeScript', python: 'Python', http: 'HTTP' };

/** Walks somebody from nothing to an app that answers: which way, a name, the code to copy, and whether it has connected. */
export function ConnectTarget({ address, needsToken, taken, save }: ConnectTargetProps) {
  const [way, setWay] = useState<ConnectWay>('typescript');
  const [name, setName] = useState('my-app');
  const shown = name.trim() || 'my-app';
  return (
    <div className="flex flex-col gap-4">
      <p className="max-w-[60ch] text-ink-2">
        Use your own agent, chain or service instead of a prompt. Hone sends it a case and the texts to use, and scores
        its output. To tune just a prompt,{' '}
        <MayTextLink needs="editor" href="/experiments/new">
          create an experiment
        </MayTextLink>
        .
      </p>
      <Segmented
        label="Connect by"
        value={way}
        choices={CONNECT_WAYS.map((value) => ({ value, label: WAY_LABELS[value] }))}
        onChange={setWay}
      />
      {way === 'http' ? (
        <HttpSteps save={save} />
      ) : (
        <>
          <Field label="Name" help="Letters, digits, dots, dashes and underscores">
            <Input value={name} onChange={(event) => setName(event.target.value)} />
          </Field>
          <Step number={1} title={`Add these lines to your app (${way === 'typescript' ? 'app.ts' : 'app.py'})`}>
            <Code text={connectSample(way, shown)} />
            <p className="text-ink-2 text-sm">
              A component is a text of your app that Hone may change, such as its system prompt.{' '}
              <Link className="link" href="/docs/how-to/connect-your-app#install-the-sdk">
                Install the SDK
              </Link>
            </p>
          </Step>
          <Step number={2} title="Start it">
            <Code text={startCommand(way, { address, needsToken })} />
            {needsToken ? (
              <p className="text-ink-2 text-sm">
                Create a token with the scope <code>runs:write</code> under{' '}
                <Link className="link" href="/account">
                  Account
                </Link>
                .
              </p>
            ) : null}
          </Step>
          <Step number={3} title="Test it">
            <Connection name={shown} isNew={!taken.includes(shown)} />
          </Step>
        </>
      )}
    </div>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: React.ReactNode }) {
  const id = useId();
  return (
    <section className="flex min-w-0 flex-col gap-2" aria-labelledby={id}>
      <h3 id={id}>
        {number}. {title}
      </h3>
      {children}
    </section>
  );
}

function Code({ text }: { text: string }) {
  return (
    <div className="relative">
      <CodeBlock className="pr-10">{text}</CodeBlock>
      <CopyCode code={text} />
    </div>
  );
}

/** How often it is looked whether the app has connected, in milliseconds. */
const LOOK_MS = 2_000;

/** Says when a process of the app asks for work; the page then shows the target. */
function Connection({ name, isNew }: { name: string; isNew: boolean }) {
  const router = useRouter();
  const { data } = useQuery({
    queryKey: ['targets', 'connected', name],
    queryFn: async ({ signal }) => {
      const found = await callApi('GET /api/v1/targets', { signal });
      const target = found.ok ? found.value.items.find((one) => one.name === name) : undefined;
      if (target !== undefined && isNew) router.refresh();
      return (target?.workers.length ?? 0) > 0;
    },
    refetchInterval: LOOK_MS,
  });
  const isConnected = data === true;
  return (
    <p role="status" className={isConnected ? 'text-better' : 'text-ink-2'}>
      {isConnected ? `✓ ${name} is connected. Test it in the list.` : `Waiting for ${name} to connect …`}
    </p>
  );
}

/** An address that Hone calls, and what an app there has to do. */
function HttpSteps({ save }: { save: Save }) {
  const router = useRouter();
  const [name, setName] = useState('my-app');
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const [components, setComponents] = useState('system_prompt: You are a helpful assistant.');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, startSaving] = useTransition();
  function send(event: FormEvent) {
    event.preventDefault();
    startSaving(async () => {
      const input = { kind: 'http', url, components: componentsOf(components), ...(secret !== '' && { secret }) };
      const result = await save(name.trim(), input).catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. Nothing was saved.'),
      );
      setProblem(result.ok ? null : result.problem);
      if (result.ok) router.refresh();
    });
  }
  return (
    <>
      <Step number={1} title="Add a route to your app">
        <Code text={connectSample('http', name)} />
        <p className="text-ink-2 text-sm">
          Return JSON, plain text or a stream of the AI SDK.{' '}
          <Link className="link" href="/docs/how-to/connect-your-app#over-http">
            All fields
          </Link>
        </p>
      </Step>
      <Step number={2} title="Add it to Hone">
        <FormErrors problems={problemsOf(problem)}>
          <form onSubmit={send} noValidate className="flex flex-col gap-4">
            <Field label="Name" path="name">
              <Input value={name} onChange={(event) => setName(event.target.value)} />
            </Field>
            <Field label="URL" path="url">
              <Input
                value={url}
                placeholder="http://127.0.0.1:8000/api/run"
                onChange={(event) => setUrl(event.target.value)}
              />
            </Field>
            <Field
              label="Secret"
              help="Optional, 16 to 200 characters. Signs each request, so that your app can check it."
              path="secret"
            >
              <Input
                type="password"
                autoComplete="off"
                value={secret}
                onChange={(event) => setSecret(event.target.value)}
              />
            </Field>
            <Field
              label="Components"
              help="Texts that Hone may change. One per line: a name, a colon and the text. You can edit longer texts in the experiment."
              path="components"
            >
              <Textarea rows={3} value={components} onChange={(event) => setComponents(event.target.value)} />
            </Field>
            <div className="flex flex-wrap items-center gap-3">
              <MayButton needs="owner" type="submit" variant="primary" disabled={isBusy}>
                {isBusy ? 'Adding' : 'Add target'}
              </MayButton>
              {problem === null ? null : (
                <p className="text-sm text-worse" role="alert">
                  ✕ <ErrorLine several={(count) => `${count} fields have an error`} />
                </p>
              )}
            </div>
          </form>
        </FormErrors>
      </Step>
      <Step number={3} title="Test it">
        <p className="text-ink-2">Open the target in the list and press Send test case.</p>
      </Step>
    </>
  );
}

function componentsOf(lines: string): Record<string, { text: string }> {
  const pairs = lines.split('\n').flatMap((line) => {
    const [name = '', ...text] = line.split(':');
    return name.trim() === '' ? [] : [[name.trim(), { text: text.join(':').trim() }]];
  });
  return Object.fromEntries(pairs);
}
