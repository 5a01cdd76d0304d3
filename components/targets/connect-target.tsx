'use client';

import { Check, Copy, Plus, X } from 'lucide-react';
import { parseAsString, parseAsStringLiteral, useQueryState } from 'nuqs';
import { useId, useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { RoleTextLink } from '#components/access/role-link.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { Button, IconButton } from '#components/ui/button.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { copyText } from '#components/ui/copy-text.ts';
import { Field, Input, Textarea } from '#components/ui/field.tsx';
import { ErrorLine, FormErrors } from '#components/ui/form-errors.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { TextLink } from '#components/ui/link.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { fail, problemsOf, type Result, succeed } from '#lib/core/problem.ts';
import { TARGET_NAME, TARGET_NAME_ERROR } from '#lib/targets/target-name.ts';
import {
  CONNECT_METHODS,
  type ConnectMethod,
  connectSample,
  installCommand,
  type SdkWay,
  startCommand,
  threadSample,
} from './connect-samples.ts';
import { useConnectedTargets } from './use-targets.ts';

type ConnectTargetProps = {
  /** Base URL of Hone. */
  address: string;
  /** True if programs need an API token. */
  needsToken: boolean;
  /** Names of the targets that are connected when the page opens. */
  connected: readonly string[];
};

const CONNECT_METHOD_LABELS: Record<ConnectMethod, string> = {
  typescript: 'TypeScript',
  python: 'Python',
  http: 'HTTP',
};

/** Guides the user to a connected app: connection method, name, code to copy, and connection status. */
export function ConnectTarget({ address, needsToken, connected }: ConnectTargetProps) {
  // Kept in the URL, so that Back restores them.
  const [way, setWay] = useQueryState('by', parseAsStringLiteral(CONNECT_METHODS).withDefault('typescript'));
  const [name, setName] = useQueryState('name', parseAsString.withDefault('my-app'));
  return (
    <div className="flex flex-col gap-4">
      <p className="max-w-[60ch] text-ink-2">
        Use your own agent, chain or service instead of a prompt. Hone sends it a case and the texts to use, and scores
        its output. To tune just a prompt,{' '}
        <RoleTextLink needs="editor" href="/experiments/new">
          create an experiment
        </RoleTextLink>
        .
      </p>
      <Segmented
        label="Connect by"
        value={way}
        choices={CONNECT_METHODS.map((value) => ({ value, label: CONNECT_METHOD_LABELS[value] }))}
        onChange={setWay}
      />
      {way === 'http' ? (
        <HttpSteps name={name} setName={setName} />
      ) : (
        <SdkSteps {...{ way, name, setName, address, needsToken, connected }} />
      )}
    </div>
  );
}

type SdkStepsProps = ConnectTargetProps & {
  way: SdkWay;
  name: string;
  setName: (name: string) => void;
};

function SdkSteps({ way, name, setName, address, needsToken, connected }: SdkStepsProps) {
  // The name comes from the URL and goes into code.
  const isValid = TARGET_NAME.test(name.trim());
  const shown = isValid ? name.trim() : 'my-app';
  const isTypescript = way === 'typescript';
  return (
    <>
      <Field
        label="Name"
        help="Letters, digits, dots, dashes and underscores"
        error={isValid || name.trim() === '' ? null : TARGET_NAME_ERROR}
      >
        <Input value={name} maxLength={120} onValue={setName} />
      </Field>
      <Step number={1} title="Install the SDK">
        <Code text={installCommand(way, address)} />
      </Step>
      <Step number={2} title={`Add these lines to your app (${isTypescript ? 'app.ts' : 'app.py'})`}>
        <Code text={connectSample(way, shown)} />
        <p className="text-ink-2 text-sm">
          {isTypescript
            ? 'They do not block the rest of your app, so they also work in a server. '
            : 'Put them last: they run until the app stops. '}
          A component is a text of your app that Hone may change, such as its system prompt.{' '}
          <TextLink href="/docs/how-to/connect-your-app#components">More about components</TextLink>
        </p>
        {isTypescript ? null : (
          <details>
            <summary className="cursor-pointer text-ink-2 text-sm">My app is a server</summary>
            <div className="mt-2 flex flex-col gap-2">
              <p className="text-ink-2 text-sm">
                Instead of the last line, start a thread, so that the server starts. With asyncio, see{' '}
                <TextLink href="/docs/how-to/connect-your-app#in-a-server">In a server</TextLink>.
              </p>
              <Code text={threadSample(shown)} />
            </div>
          </details>
        )}
      </Step>
      <Step number={3} title="Start it">
        <Code text={startCommand(way, { address, needsToken })} />
        {isTypescript ? (
          <p className="text-ink-2 text-sm">
            From Node.js 22.18 on, <code>node app.ts</code> works too, in projects with{' '}
            <code>&quot;type&quot;: &quot;module&quot;</code>.
          </p>
        ) : null}
        {needsToken ? (
          <p className="text-ink-2 text-sm">
            Create a token with the scope <code>runs:write</code> under <TextLink href="/account">Account</TextLink>.
          </p>
        ) : null}
      </Step>
      <Step number={4} title="Test it">
        <Connection name={shown} connected={connected} />
      </Step>
    </>
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

/** Reports when this target, or one that was not connected at load, connects. */
function Connection({ name, connected }: { name: string; connected: readonly string[] }) {
  const [before] = useState(connected);
  const now = useConnectedTargets(before);
  const newest = now.includes(name) ? name : now.find((one) => !before.includes(one));
  return (
    <p role="status" className={newest === undefined ? 'text-ink-2' : 'text-better'}>
      {newest === undefined ? (
        `Waiting for ${name} to connect …${now.length === 0 ? '' : ` Connected now: ${now.join(', ')}.`}`
      ) : (
        <>
          ✓ {newest} is connected. <OpenTarget name={newest} />
        </>
      )}
    </p>
  );
}

function OpenTarget({ name }: { name: string }) {
  const [, open] = useQueryState('target', parseAsString);
  return (
    <button type="button" className="link" onClick={() => open(name)}>
      Test it
    </button>
  );
}

function HttpSteps({ name, setName }: { name: string; setName: (name: string) => void }) {
  const toast = useToast();
  const [, open] = useQueryState('target', parseAsString);
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const [components, setComponents] = useState<ComponentDraft[]>([
    { key: 0, name: 'system_prompt', text: 'You are a helpful assistant.' },
  ]);
  const { isBusy, problem, setProblem, submit } = useSubmit('Hone did not respond. Nothing was saved.');
  function send() {
    const parsed = componentsOf(components);
    if (!parsed.ok) return setProblem(parsed.problem);
    // The URL of the request would be that of another route.
    if (/^\.{0,2}$/.test(name.trim())) return setProblem(fail('invalid', `name ${TARGET_NAME_ERROR}`, 'name').problem);
    const body = { kind: 'http', url, components: parsed.value, ...(secret !== '' && { secret }) };
    submit(submitApi('PUT /api/v1/targets/{name}', { params: { name: name.trim() }, body }), async () => {
      toast(`Added ${name.trim()}`);
      await open(name.trim());
    });
  }
  return (
    <>
      <Step number={1} title="Add a route to your app">
        <Code text={connectSample('http', name)} />
        <p className="text-ink-2 text-sm">
          Return JSON, plain text or a stream of the AI SDK.{' '}
          <TextLink href="/docs/how-to/connect-your-app#over-http">All fields</TextLink>
        </p>
      </Step>
      <Step number={2} title="Add it to Hone">
        <FormErrors problems={problemsOf(problem)}>
          <SubmitForm onSubmit={send} className="flex flex-col gap-4">
            <Field label="Name" path="name">
              <Input value={name} onValue={setName} />
            </Field>
            <Field label="URL" path="url">
              <Input value={url} placeholder="http://127.0.0.1:8000/api/run" onValue={setUrl} />
            </Field>
            <Field
              label="Secret"
              help="Optional, 16 to 200 characters. Signs each request, so that your app can check it."
              path="secret"
            >
              <Input type="password" value={secret} onValue={setSecret} />
            </Field>
            <ComponentRows components={components} onChange={setComponents} />
            <div className="flex flex-wrap items-center gap-3">
              <RoleButton needs="owner" type="submit" variant="primary" disabled={isBusy}>
                {isBusy ? 'Adding' : 'Add target'}
              </RoleButton>
              {problem === null ? null : (
                <InlineError>
                  <ErrorLine several={(count) => `${count} fields have an error`} />{' '}
                </InlineError>
              )}
            </div>
          </SubmitForm>
        </FormErrors>
      </Step>
      <Step number={3} title="Test it">
        <p className="text-ink-2">Open the target in the list and press Send test case.</p>
      </Step>
    </>
  );
}

/** A component as entered. `key` identifies its row. */
type ComponentDraft = { key: number; name: string; text: string };

type ComponentRowsProps = {
  components: readonly ComponentDraft[];
  onChange: (components: ComponentDraft[]) => void;
};

function ComponentRows({ components, onChange }: ComponentRowsProps) {
  const change = (at: number, part: Partial<ComponentDraft>) =>
    onChange(components.map((component, index) => (index === at ? { ...component, ...part } : component)));
  const nextKey = Math.max(0, ...components.map(({ key }) => key)) + 1;
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-medium">Components</legend>
      <p className="text-ink-2 text-sm">Texts that Hone may change, such as a system prompt.</p>
      {components.map(({ key, name, text }, at) => (
        <div key={key} className="flex flex-col gap-2 border-line border-l-2 pl-3">
          <div className="flex items-end gap-2">
            <Field label="Component" className="min-w-0 flex-1" path={`components.${name.trim()}`}>
              <Input value={name} placeholder="system_prompt" onValue={(name) => change(at, { name })} />
            </Field>
            <IconButton
              icon={X}
              label={`Remove component ${at + 1}`}
              size="small"
              onClick={() => onChange(components.filter((_, index) => index !== at))}
            />
          </div>
          <Field label="Text" path={`components.${name.trim()}.text`}>
            <Textarea rows={3} value={text} onValue={(text) => change(at, { text })} />
          </Field>
        </div>
      ))}
      <div>
        <Button size="small" onClick={() => onChange([...components, { key: nextKey, name: '', text: '' }])}>
          <Plus />
          {components.length === 0 ? 'Add component' : 'Add another component'}
        </Button>
      </div>
    </fieldset>
  );
}

/** Converts the rows to API input. Empty rows are omitted. */
function componentsOf(drafts: readonly ComponentDraft[]): Result<Record<string, { text: string }>> {
  const components = new Map<string, { text: string }>();
  for (const { name: typed, text } of drafts) {
    const name = typed.trim();
    if (name === '' && text.trim() === '') continue;
    if (name === '') return fail('invalid', 'must not be empty', 'components.');
    if (components.has(name)) return fail('invalid', 'must be unique', `components.${name}`);
    components.set(name, { text });
  }
  return succeed(Object.fromEntries(components));
}

function CopyCode({ code }: { code: string }) {
  const [result, setResult] = useState<'copied' | 'failed' | null>(null);
  async function copy() {
    setResult((await copyText(code)) ? 'copied' : 'failed');
  }
  return (
    <span className="absolute top-1 right-1">
      <Button size="smallIcon" variant="ghost" aria-label="Copy code" onClick={copy}>
        {result === 'copied' ? <Check /> : <Copy />}
      </Button>
      <span className="sr-only" role="status">
        {result === 'copied'
          ? 'Copied'
          : result === 'failed'
            ? 'The browser blocked copying. Select the code and copy it.'
            : ''}
      </span>
    </span>
  );
}
