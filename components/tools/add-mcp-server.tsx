'use client';

import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useSubmit } from '#components/access/use-submit.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { type HeaderDraft, HeaderFields, headersOf } from '#components/ui/header-fields.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import type { McpTest } from '#lib/mcp-servers/schema.ts';
import { type McpActions, McpTestResult } from './mcp-section.tsx';

type AddMcpServerProps = { commands: readonly string[]; actions: Pick<McpActions, 'add' | 'test'> };

const HTTP = 'HTTP';
const FIELDS = ['name', 'url', 'command'];

/** Adds an MCP server and immediately requests its tools. */
export function AddMcpServer({ commands, actions }: AddMcpServerProps) {
  const router = useRouter();
  const [how, setHow] = useState(HTTP);
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [headers, setHeaders] = useState<HeaderDraft[]>([]);
  const [tested, setTested] = useState<McpTest | null>(null);
  const { isBusy, problem, errorAt, submit } = useSubmit('Hone did not answer. Nothing was saved.');
  const isAtField =
    problem !== null && (FIELDS.includes(problem.field ?? '') || (problem.field ?? '').startsWith('headers.'));

  function send() {
    setTested(null);
    const input =
      how === HTTP ? { kind: 'http', name, url, headers: headersOf(headers) } : { kind: 'stdio', name, command: how };
    submit(actions.add(input), async () => {
      const outcome = await actions.test(name).catch(() => null);
      if (outcome?.ok) setTested(outcome.value);
      setName('');
      setUrl('');
      setHeaders([]);
      router.refresh();
    });
  }

  return (
    <SubmitForm className="flex flex-col gap-3" onSubmit={send} aria-label="Add MCP server">
      {commands.length > 0 ? (
        <Field label="Reached" error={errorAt('command')}>
          <Select value={how} onChange={(event) => setHow(event.target.value)}>
            <option>{HTTP}</option>
            <optgroup label="Program on this machine">
              {commands.map((command) => (
                <option key={command}>{command}</option>
              ))}
            </optgroup>
          </Select>
        </Field>
      ) : null}
      <Field label="Name" help="Prefix of its tool names, such as weather__forecast" error={errorAt('name')}>
        <Input value={name} placeholder="weather" onChange={(event) => setName(event.target.value)} />
      </Field>
      {how === HTTP ? (
        <>
          <Field
            label="URL"
            help="Streamable HTTP on a public host or this machine. Add other private hosts to HONE_ALLOWED_PRIVATE_HOSTS."
            error={errorAt('url')}
          >
            <Input
              value={url}
              inputMode="url"
              placeholder="https://example.com/mcp"
              onChange={(event) => setUrl(event.target.value)}
            />
          </Field>
          <HeaderFields headers={headers} errorOf={(header) => errorAt(`headers.${header}`)} onChange={setHeaders} />
        </>
      ) : null}
      {problem && !isAtField ? <InlineError>{problem.message}</InlineError> : null}
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
