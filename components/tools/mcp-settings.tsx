'use client';

import { type FormEvent, useState } from 'react';
import { problemAt } from '#components/access/refusal-of.ts';
import { Button } from '#components/ui/button.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { type HeaderDraft, HeaderFields, headersOf } from '#components/ui/header-fields.tsx';
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
          {headers === null ? (
            <div className="flex flex-wrap items-center gap-2 text-sm">
              <span className="wrap-anywhere text-ink-2">{headerLabel(server)}</span>
              <Button size="small" onClick={() => setHeaders([{ key: 0, name: '', value: '' }])}>
                {server.headers.length === 0 ? 'Add headers' : 'Replace headers'}
              </Button>
            </div>
          ) : (
            <div className="flex flex-col gap-2">
              <HeaderFields
                headers={headers}
                errorOf={(header) => errorAt(`headers.${header}`)}
                onChange={setHeaders}
              />
              {server.headers.length === 0 ? null : (
                <div className="flex flex-wrap items-center gap-2 text-sm">
                  <span className="text-ink-2">They replace all stored headers.</span>
                  <Button size="small" variant="ghost" onClick={() => setHeaders(null)}>
                    Keep stored headers
                  </Button>
                </div>
              )}
            </div>
          )}
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

function headerLabel({ headers }: McpServerView): string {
  if (headers.length === 0) return 'No headers are sent.';
  const shown = headers.map(({ name, lastFour }) => (lastFour === null ? name : `${name}, ends in ${lastFour}`));
  return `Sent with every request: ${shown.join('; ')}.`;
}
