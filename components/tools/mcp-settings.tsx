'use client';

import { type FormEvent, useState } from 'react';
import { problemAt } from '#components/access/refusal-of.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { type HeaderDraft, headersOf, StoredHeaderFields } from '#components/ui/header-fields.tsx';
import type { Problem } from '#lib/core/problem.ts';
import type { McpServerView } from '#lib/mcp-servers/schema.ts';

type McpSettingsProps = {
  server: McpServerView;
  commands: readonly string[];
  problem: Problem | null;
  isBusy: boolean;
  save: (input: Record<string, unknown>) => void;
};

/** How a server is reached: its address, headers or program, and how long a use of its tools may take. */
export function McpSettings({ server, commands, problem, isBusy, save }: McpSettingsProps) {
  const [url, setUrl] = useState(server.url ?? '');
  const [command, setCommand] = useState(server.command ?? '');
  const [seconds, setSeconds] = useState(String(server.timeoutMs / 1000));
  /** Null: those that are stored stay. */
  const [headers, setHeaders] = useState<HeaderDraft[] | null>(null);
  const errorAt = (field: string) => problemAt(problem, field);
  const isMoved = server.kind === 'http' && url.trim() !== server.url;

  function send(event: FormEvent) {
    event.preventDefault();
    save({
      ...(isMoved ? { url } : {}),
      ...(server.kind === 'stdio' && command !== server.command ? { command } : {}),
      ...(headers === null ? {} : { headers: headersOf(headers) }),
      timeoutMs: Math.round(Number(seconds) * 1000),
    });
  }

  return (
    <form className="flex flex-col gap-3" onSubmit={send} noValidate aria-label={`Settings of ${server.name}`}>
      {server.kind === 'http' ? (
        <>
          <Field
            label="URL"
            error={errorAt('url')}
            help={
              isMoved && server.headers.length > 0
                ? 'Changing the URL deletes the stored headers. Enter them again.'
                : undefined
            }
          >
            <Input value={url} inputMode="url" onChange={(event) => setUrl(event.target.value)} />
          </Field>
          <StoredHeaderFields
            stored={server.headers}
            headers={headers}
            errorOf={(header) => errorAt(`headers.${header}`)}
            onChange={setHeaders}
          />
        </>
      ) : (
        <Field label="Program" error={errorAt('command')}>
          <Select value={command} onChange={(event) => setCommand(event.target.value)}>
            {[...new Set([server.command ?? '', ...commands])].map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        </Field>
      )}
      <Field label="Timeout (seconds)" error={errorAt('timeoutMs')}>
        <Input numeric value={seconds} onChange={(event) => setSeconds(event.target.value)} />
      </Field>
      <div>
        <Button type="submit" disabled={isBusy}>
          Save
        </Button>
      </div>
    </form>
  );
}
