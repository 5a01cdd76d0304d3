'use client';

import { Copy, KeyRound } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { refusalOf } from '#components/access/refusal-of.ts';
import { Button } from '#components/ui/button.tsx';
import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { TOKEN_SCOPES, type TokenScope } from '#lib/auth/api-token.ts';
import type { Problem } from '#lib/core/problem.ts';
import type { TokenActions } from './token-actions.ts';

const FIELDS = ['name', 'scopes', 'days'];
/** Days; empty: it never ends. */
const ENDS = [
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: '', label: 'Never' },
];

/** Makes a token by its name, what it may do and when it ends; shows it this once. */
export function AddToken({ make, address }: Pick<TokenActions, 'make'> & { address: string }) {
  const router = useRouter();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<TokenScope[]>(['lessons:read']);
  const [days, setDays] = useState('90');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [made, setMade] = useState<{ name: string; token: string } | null>(null);
  const [isBusy, startSending] = useTransition();
  const errorAt = (field: string) => (problem?.field?.split('.')[0] === field ? problem.message : null);

  function send(event: FormEvent) {
    event.preventDefault();
    setMade(null);
    startSending(async () => {
      const input = { name, scopes, days: days === '' ? null : Number(days) };
      const result = await make(input).catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. No token was made.'),
      );
      if (!result.ok) return setProblem(result.problem);
      setProblem(null);
      setMade({ name: result.value.name, token: result.value.token });
      setName('');
      router.refresh();
    });
  }

  return (
    <form className="flex flex-col gap-3" onSubmit={send} noValidate>
      <Field label="Name" help="The program or person that will use it" error={errorAt('name')}>
        <Input value={name} placeholder="nightly-ci" onChange={(event) => setName(event.target.value)} />
      </Field>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 font-medium">May</legend>
        {TOKEN_SCOPES.map((scope) => (
          <CheckboxField
            key={scope}
            label={<code>{scope}</code>}
            help={SCOPE_LABELS[scope]}
            checked={scopes.includes(scope)}
            onChange={(event) =>
              setScopes(TOKEN_SCOPES.filter((one) => (one === scope ? event.target.checked : scopes.includes(one))))
            }
          />
        ))}
        {errorAt('scopes') ? (
          <p className="text-sm text-worse" role="alert">
            ✕ {errorAt('scopes')}
          </p>
        ) : null}
      </fieldset>
      <Field label="Ends" error={errorAt('days')}>
        <Select value={days} onChange={(event) => setDays(event.target.value)}>
          {ENDS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      {problem && !FIELDS.includes(problem.field?.split('.')[0] ?? '') ? (
        <p className="text-sm text-worse" role="alert">
          ✕ {problem.message}
        </p>
      ) : null}
      <div>
        <Button type="submit" disabled={isBusy}>
          <KeyRound className="size-3.25" aria-hidden />
          {isBusy ? 'Making' : 'Make token'}
        </Button>
      </div>
      {made ? <MadeToken {...made} address={address} close={() => setMade(null)} /> : null}
    </form>
  );
}

/** What a program may do with a scope. */
const SCOPE_LABELS: Record<TokenScope, string> = {
  'lessons:read': 'Recall, read and export lessons',
  'lessons:write': 'Hand in, edit and delete lessons; people alone review them',
  'runs:read': 'Read and export runs, experiments, datasets, prompts and reports',
  'runs:write': 'Start, decide, stop and delete runs; change experiments, datasets and prompts. Spends money on models',
};

type MadeTokenProps = { name: string; token: string; address: string; close: () => void };

/** A token that was just made: there is no other moment to copy it. */
function MadeToken({ name, token, address, close }: MadeTokenProps) {
  const toast = useToast();
  async function copy(text: string) {
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    toast(isCopied ? 'Copied' : 'The browser did not let it be copied', isCopied ? 'done' : 'problem');
  }
  return (
    <Notice
      title={`${name} is made. Copy it now: it is shown this once.`}
      alert
      actions={
        <>
          <Button size="small" onClick={() => copy(token)}>
            <Copy className="size-3.25" aria-hidden />
            Copy token
          </Button>
          <Button size="small" onClick={() => copy(clientSettings(address, token))}>
            <Copy className="size-3.25" aria-hidden />
            Copy for an MCP client
          </Button>
          <Button size="small" variant="ghost" onClick={close}>
            Done
          </Button>
        </>
      }
    >
      <code className="wrap-anywhere mt-1.5 block select-all font-mono text-[0.94em]" data-testid="made-token">
        {token}
      </code>
    </Notice>
  );
}

/** As most clients of the Model Context Protocol read their servers. */
function clientSettings(address: string, token: string): string {
  const hone = { type: 'http', url: `${address}/api/mcp`, headers: { Authorization: `Bearer ${token}` } };
  return JSON.stringify({ mcpServers: { hone } }, null, 2);
}
