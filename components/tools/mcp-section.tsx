'use client';

import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { DeleteButton } from '#components/access/delete-button.tsx';
import { problemAt } from '#components/access/to-action-failure.ts';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { Fold, FoldBody } from '#components/ui/fold-section.tsx';
import { type HeaderDraft, HeaderFields, headersOf, StoredHeaderFields } from '#components/ui/header-fields.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { Link } from '#components/ui/link.tsx';
import { TimeAgo } from '#components/ui/local-time.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Options } from '#components/ui/options.tsx';
import { StoredInput } from '#components/ui/stored-input.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { type StoredField, storedFieldError, useStoredField } from '#components/ui/use-stored-field.ts';
import type { Problem } from '#lib/core/problem.ts';
import { formatDuration, formatList, formatNumberOf } from '#lib/format.ts';
import type { McpServerView, McpTest, StoredTool } from '#lib/mcp-servers/schema.ts';
import { parametersLabel } from './parameter-labels.ts';

const testServer = (name: string) => submitApi('POST /api/v1/mcp-servers/{name}/test', { params: { name } });

type PendingAction = 'Testing' | 'Saving';

type McpSectionProps = { server: McpServerView; commands: readonly string[] };

/** Collapsible section of one MCP server: test it, view its tools and users, change it or delete it. */
export function McpSection({ server, commands }: McpSectionProps) {
  const { name, tools, test, testedAt, usedBy } = server;
  const { isBusy, problem, submit } = useSubmit('Hone did not respond.', { refreshes: 'always' });
  const [action, setAction] = useState<PendingAction>('Testing');
  const pending = isBusy ? action : null;

  function tryIt() {
    setAction('Testing');
    submit(testServer(name));
  }

  function save(body: Record<string, unknown>, onSaved: () => void) {
    setAction('Saving');
    submit(submitApi('PATCH /api/v1/mcp-servers/{name}', { params: { name }, body }), onSaved);
  }

  return (
    <Fold
      size="row"
      data-testid={`mcp-server-${name}`}
      title={
        <b className="min-w-0 truncate font-medium" title={name}>
          {name}
        </b>
      }
      summary={
        <>
          {server.url ?? `program ${server.command}`} · {formatNumberOf(tools.length, 'tool')} ·{' '}
          {usedBy.length === 0 ? 'not used yet' : `used by ${formatNumberOf(usedBy.length, 'experiment')}`}
          {testedAt === null ? null : (
            <>
              {' '}
              · tested <TimeAgo moment={testedAt} />
            </>
          )}
        </>
      }
      mark={<State server={server} pending={pending} />}
    >
      <FoldBody className="flex flex-col gap-4 pb-4 *:max-w-none">
        <div className="flex flex-wrap items-center gap-2">
          <Button size="small" onClick={tryIt} disabled={isBusy}>
            {pending === 'Testing' ? pending : 'Test and list tools'}
          </Button>
          {usedBy.length === 0 ? (
            <span className="ml-auto">
              <DeleteButton
                needs="owner"
                name={name}
                what="The server, its headers and the list of its tools"
                route="DELETE /api/v1/mcp-servers/{name}"
                request={{ params: { name } }}
                goTo="/settings"
              />
            </span>
          ) : null}
        </div>
        {problem !== null && !isAtField(problem) ? <InlineError>{problem.message}</InlineError> : null}
        {test === null ? null : <McpTestResult test={test} />}
        {tools.length === 0 ? null : <ListedTools tools={tools} />}
        {usedBy.length === 0 ? null : <Users usedBy={usedBy} />}
        <McpSettings server={server} commands={commands} problem={problem} pending={pending} save={save} />
      </FoldBody>
    </Fold>
  );
}

/** True if the form shows the problem next to its field. */
function isAtField({ field }: Problem): boolean {
  return /^(?:url|command|timeoutMs|headers\..*)$/.test(field ?? '');
}

function State({ server: { test }, pending }: { server: McpServerView; pending: PendingAction | null }) {
  if (pending !== null) return <Badge>{pending.toLowerCase()}</Badge>;
  if (test === null) return <Badge>not tested</Badge>;
  return test.ok ? <Badge tone="better">✓ works</Badge> : <Badge tone="worse">✕ failed</Badge>;
}

function Users({ usedBy }: Pick<McpServerView, 'usedBy'>) {
  return (
    <div className="text-sm">
      <p className="text-ink-2">
        Used by these experiments. Remove its tools from their settings to delete the server:
      </p>
      <ul>
        {usedBy.map(({ id, name, tools }) => (
          <li key={id} className="wrap-anywhere">
            <Link href={`/experiments/${id}`}>{name}</Link> <span className="text-ink-2">{tools.join(', ')}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const SHOWN = 10;

/** Lists the tools of a server as described to agents: name, description and parameters. Content from the server is shown as plain text. */
function ListedTools({ tools }: { tools: readonly StoredTool[] }) {
  const rest = tools.slice(SHOWN);
  return (
    <div className="flex flex-col gap-3">
      <Tools tools={tools.slice(0, SHOWN)} label="Tools" />
      {rest.length === 0 ? null : (
        <details>
          <summary className="text-ink-2 text-sm">and {formatNumberOf(rest.length, 'more tool')}</summary>
          <div className="mt-3">
            <Tools tools={rest} label="More tools" />
          </div>
        </details>
      )}
    </div>
  );
}

function Tools({ tools, label }: { tools: readonly StoredTool[]; label: string }) {
  return (
    <ul className="flex flex-col gap-3" aria-label={label}>
      {tools.map(({ name, description, parameters, note }) => (
        <li key={name} className="min-w-0">
          <code className="wrap-anywhere font-medium">{name}</code>
          <p className="wrap-anywhere max-w-[80ch] whitespace-pre-line text-sm">
            {description === '' ? <span className="text-ink-2">No description.</span> : description}
          </p>
          <p className="wrap-anywhere text-ink-2 text-sm">
            Parameters: {parametersLabel(parameters)}.
            {note === null ? null : <span className="text-wait"> ▲ {note}</span>}
          </p>
        </li>
      ))}
    </ul>
  );
}

type McpSettingsProps = {
  server: McpServerView;
  commands: readonly string[];
  problem: Problem | null;
  pending: PendingAction | null;
  save: (input: Record<string, unknown>, onSaved: () => void) => void;
};

function McpSettings({ server, commands, problem, pending, save }: McpSettingsProps) {
  /** Null keeps the stored headers. */
  const [headers, setHeaders] = useState<HeaderDraft[] | null>(null);
  // Headers are entered for the URL shown, so the URL must not change unnoticed.
  const url = useStoredField(server.url ?? '', headers !== null);
  const command = useStoredField(server.command ?? '');
  const seconds = useStoredField(String(server.timeoutMs / 1000));
  const errorAt = (field: string) => problemAt(problem, field);
  const errorOf = (name: string, field: StoredField<string>) => storedFieldError(field, errorAt(name), problem);
  const isMoved = server.kind === 'http' && url.value.trim() !== server.url;

  const changes = {
    ...(isMoved ? { url: url.value } : {}),
    ...(server.kind === 'stdio' && command.isChanged ? { command: command.value } : {}),
    ...(headers === null ? {} : { headers: headersOf(headers) }),
    ...(seconds.isChanged ? { timeoutMs: Math.round(Number(seconds.value) * 1000) } : {}),
  };
  const isChanged = Object.keys(changes).length > 0;

  function send() {
    const seen = (isMoved || headers !== null) && server.url !== null ? { seenUrl: server.url } : {};
    save({ ...seen, ...changes }, () => {
      setHeaders(null);
      for (const { saved } of [url, command, seconds]) saved();
    });
  }

  return (
    <SubmitForm className="flex flex-col gap-3" onSubmit={send} aria-label={`Settings of ${server.name}`}>
      {server.kind === 'http' ? (
        <>
          <StoredInput
            label="URL"
            error={errorOf('url', url)}
            help={
              isMoved && server.headers.length > 0
                ? 'Changing the URL deletes the stored headers. Enter them again.'
                : undefined
            }
            field={url}
            inputMode="url"
          />
          <StoredHeaderFields
            stored={server.headers}
            headers={headers}
            errorOf={(header) => errorAt(`headers.${header}`)}
            onChange={setHeaders}
          />
        </>
      ) : (
        <Field label="Program" error={errorOf('command', command)}>
          <Select value={command.value} onValue={command.setValue}>
            <Options of={[...new Set([server.command ?? '', ...commands])]} />
          </Select>
        </Field>
      )}
      <StoredInput
        label="Timeout (seconds)"
        error={storedFieldError(seconds, errorAt('timeoutMs') && 'must be a number from 1 to 120', problem)}
        field={seconds}
        numeric
      />
      <div>
        <Button type="submit" disabled={pending !== null || !isChanged}>
          {pending === 'Saving' ? pending : 'Save'}
        </Button>
      </div>
    </SubmitForm>
  );
}

/** Maximum number of names shown per kind of change, and of omitted tools. */
const SHOWN_NAMES = 12;

/** Shows the result of a connection test: changes to the tools since the last test, or the failure and its remedy. */
function McpTestResult({ test }: { test: McpTest }) {
  if (!test.ok)
    return (
      <Notice tone="worse" alert title={test.message}>
        {test.remedy}
      </Notice>
    );
  const { added, removed, changed } = test.changes;
  return (
    <div className="flex flex-col gap-2">
      <p className="wrap-anywhere text-better text-sm" role="status">
        ✓ {test.message}{' '}
        {[test.title, test.protocol && `MCP ${test.protocol}`, formatDuration(test.latencyMs)]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <Names label="New since the last test" names={added} />
      <Names label="No longer there" names={removed} />
      {changed.length > 0 ? (
        <Notice tone="wait" title="The descriptions of these tools changed. Read them again.">
          {shown(changed)}
        </Notice>
      ) : null}
      {test.leftOut.length > 0 ? (
        <p className="wrap-anywhere text-sm text-wait">▲ Skipped: {test.leftOut.slice(0, SHOWN_NAMES).join(' ')}</p>
      ) : null}
    </div>
  );
}

function Names({ label, names }: { label: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p className="wrap-anywhere text-ink-2 text-sm">
      {label}: {shown(names)}.
    </p>
  );
}

function shown(names: readonly string[]): string {
  const more = names.length - SHOWN_NAMES;
  return formatList([...names.slice(0, SHOWN_NAMES), ...(more > 0 ? [`${more} more`] : [])]);
}

const HTTP = 'HTTP';
const FIELDS = ['name', 'url', 'command'];

/** Adds an MCP server and immediately requests its tools. */
export function AddMcpServer({ commands }: { commands: readonly string[] }) {
  const router = useRouter();
  const [how, setHow] = useState(HTTP);
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [headers, setHeaders] = useState<HeaderDraft[]>([]);
  const [tested, setTested] = useState<McpTest | null>(null);
  const { isBusy, problem, errorAt, submit } = useSubmit('Hone did not respond. Nothing was saved.');
  const isShownAtField =
    problem !== null && (FIELDS.includes(problem.field ?? '') || (problem.field ?? '').startsWith('headers.'));

  function send() {
    setTested(null);
    const body =
      how === HTTP ? { kind: 'http', name, url, headers: headersOf(headers) } : { kind: 'stdio', name, command: how };
    submit(submitApi('POST /api/v1/mcp-servers', { body }), async () => {
      // The test can take a minute. The list shows the server before it ends.
      router.refresh();
      const outcome = await testServer(name).catch(() => null);
      if (outcome?.ok) setTested(outcome.value);
      setName('');
      setUrl('');
      setHeaders([]);
    });
  }

  return (
    <SubmitForm className="flex flex-col gap-3" onSubmit={send} aria-label="Add MCP server">
      {commands.length > 0 ? (
        <Field label="Reached" error={errorAt('command')}>
          <Select value={how} onValue={setHow}>
            <option>{HTTP}</option>
            <optgroup label="Program on this machine">
              <Options of={commands} />
            </optgroup>
          </Select>
        </Field>
      ) : null}
      <Field label="Name" help="Prefix of its tool names, such as weather__forecast" error={errorAt('name')}>
        <Input value={name} placeholder="weather" onValue={setName} />
      </Field>
      {how === HTTP ? (
        <>
          <Field
            label="URL"
            help="Streamable HTTP on a public host or this machine. Add other private hosts to HONE_ALLOWED_PRIVATE_HOSTS."
            error={errorAt('url')}
          >
            <Input value={url} inputMode="url" placeholder="https://example.com/mcp" onValue={setUrl} />
          </Field>
          <HeaderFields headers={headers} errorOf={(header) => errorAt(`headers.${header}`)} onChange={setHeaders} />
        </>
      ) : null}
      {problem && !isShownAtField ? <InlineError>{problem.message}</InlineError> : null}
      <div>
        <Button type="submit" variant="primary" disabled={isBusy}>
          <Plus />
          {isBusy ? 'Adding and testing' : 'Add and test'}
        </Button>
      </div>
      {tested ? <McpTestResult test={tested} /> : null}
      {commands.length === 0 ? (
        <p className="text-ink-2 text-sm">
          To use programs on this machine as servers, the operator lists them in{' '}
          <code className="wrap-anywhere">HONE_MCP_COMMANDS</code>.
        </p>
      ) : null}
    </SubmitForm>
  );
}
