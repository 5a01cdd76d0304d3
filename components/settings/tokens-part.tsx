'use client';

import { Copy, KeyRound, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useSubmit } from '#components/access/use-submit.ts';
import { Button } from '#components/ui/button.tsx';
import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { ConfirmDialog } from '#components/ui/confirm-dialog.tsx';
import { useCopy } from '#components/ui/copy-text.ts';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { InlineError } from '#components/ui/inline-error.tsx';
import { LocalTime, TimeAgo } from '#components/ui/local-time.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Options } from '#components/ui/options.tsx';
import { Pane, PaneHeader, PaneNote } from '#components/ui/pane.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { ColumnHead, NumberCell, Table, TableHead } from '#components/ui/table.tsx';
import { useNow } from '#components/ui/timers.ts';
import { TOKEN_SCOPES, type TokenScope } from '#lib/auth/actor.ts';
import type { ApiToken } from '#lib/auth/api-token.ts';
import type { Result } from '#lib/core/problem.ts';

/** Actions on API tokens. The `token` value is returned only once. */
type TokenActions = {
  make: (input: unknown) => Promise<Result<ApiToken & { token: string }>>;
  revoke: (id: string) => Promise<Result<ApiToken>>;
};

type TokensPartProps = {
  tokens: ApiToken[];
  /** Public base URL of Hone, without a trailing slash. */
  address: string;
  actions: TokenActions;
};

/** Lists the API tokens, creates new ones and explains how agents connect to Hone's tools. */
export function TokensPart({ tokens, address, actions }: TokensPartProps) {
  return (
    <Columns className="medium:grid-cols-[minmax(0,1fr)_25rem]" aria-labelledby="tokens">
      <div className="min-w-0">
        <Pane className="border-b-0">
          <PaneHeader titleId="tokens" title="API tokens" />
          <p className="max-w-[70ch] text-ink-2">
            Programs send a token as <code className="whitespace-nowrap">Authorization: Bearer hone_…</code>. Its scopes
            limit what a request may do. Agents can also use Hone as an MCP server (Streamable HTTP) at{' '}
            <code className="wrap-anywhere">{address}/api/mcp</code> with the tools{' '}
            <code className="whitespace-nowrap">recall_lessons</code>,{' '}
            <code className="whitespace-nowrap">submit_lesson</code>,{' '}
            <code className="whitespace-nowrap">start_run</code> and <code className="whitespace-nowrap">read_run</code>
            .
          </p>
        </Pane>
        {tokens.length === 0 ? (
          <PaneNote>No API tokens yet.</PaneNote>
        ) : (
          <TokenTable tokens={tokens} revoke={actions.revoke} />
        )}
      </div>
      <div className="min-w-0">
        <Pane className="border-b-0">
          <PaneHeader>
            <h3>Create token</h3>
          </PaneHeader>
          <AddToken make={actions.make} address={address} />
        </Pane>
      </div>
    </Columns>
  );
}

const FIELDS = ['name', 'scopes', 'days'];
/** Lifetimes in days. Empty means no expiration. */
const EXPIRATIONS: [days: string, label: string][] = [
  ['7', 'In 7 days'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
  ['', 'Never'],
];

function AddToken({ make, address }: Pick<TokenActions, 'make'> & { address: string }) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<TokenScope[]>(['lessons:read']);
  const [days, setDays] = useState('90');
  const [made, setMade] = useState<{ name: string; token: string } | null>(null);
  const { isBusy, problem, submit } = useSubmit('Hone did not respond. The token was not created.');
  const errorAt = (field: string) => (problem?.field?.split('.')[0] === field ? problem.message : null);

  function send() {
    const input = { name, scopes, days: days === '' ? null : Number(days) };
    submit(make(input), (value) => {
      setMade({ name: value.name, token: value.token });
      setName('');
    });
  }

  return (
    <SubmitForm className="flex flex-col gap-3" onSubmit={send}>
      <Field label="Name" help="Program or person that uses the token" error={errorAt('name')}>
        <Input value={name} placeholder="nightly-ci" onValue={setName} />
      </Field>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1 font-medium">Scopes</legend>
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
        {errorAt('scopes') ? <InlineError>{errorAt('scopes')}</InlineError> : null}
      </fieldset>
      <Field label="Expires" error={errorAt('days')}>
        <Select value={days} onValue={setDays}>
          <Options of={EXPIRATIONS} />
        </Select>
      </Field>
      {problem && !FIELDS.includes(problem.field?.split('.')[0] ?? '') ? (
        <InlineError>{problem.message}</InlineError>
      ) : null}
      <div>
        <Button type="submit" disabled={isBusy}>
          <KeyRound />
          {isBusy ? 'Creating' : 'Create token'}
        </Button>
      </div>
      {made ? <MadeToken {...made} address={address} close={() => setMade(null)} /> : null}
    </SubmitForm>
  );
}

const SCOPE_LABELS: Record<TokenScope, string> = {
  'lessons:read': 'Recall, read and export lessons',
  'lessons:write': 'Submit, edit and delete lessons. Only people can review them.',
  'runs:read': 'Read and export runs, experiments, datasets, prompts and reports',
  'runs:write':
    'Start, decide, stop and delete runs. Change experiments, datasets and prompts. Can spend money on model calls.',
};

type MadeTokenProps = { name: string; token: string; address: string; close: () => void };

/** Shows a new token. Its value cannot be copied later. */
function MadeToken({ name, token, address, close }: MadeTokenProps) {
  const copy = useCopy();
  return (
    <Notice
      title={`${name} is created. Copy it now, because it is only shown once.`}
      alert
      actions={
        <>
          <Button size="small" onClick={() => copy(token)}>
            <Copy />
            Copy token
          </Button>
          <Button size="small" onClick={() => copy(clientSettings(address, token))}>
            <Copy />
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

/** Returns the server configuration in the format of most Model Context Protocol clients. */
function clientSettings(address: string, token: string): string {
  const hone = { type: 'http', url: `${address}/api/mcp`, headers: { Authorization: `Bearer ${token}` } };
  return JSON.stringify({ mcpServers: { hone } }, null, 2);
}

/** Table of API tokens with their scopes, creators, last use and expiration. */
export function TokenTable({ tokens, revoke }: { tokens: ApiToken[] } & Pick<TokenActions, 'revoke'>) {
  return (
    <Table scrollLabel="API tokens" isInset data-testid="tokens">
      <TableHead>
        <ColumnHead>Token</ColumnHead>
        <ColumnHead>Scopes</ColumnHead>
        <ColumnHead className="max-narrow:hidden">Created</ColumnHead>
        <ColumnHead className="max-narrow:hidden">Last used</ColumnHead>
        <ColumnHead>Expires</ColumnHead>
        <ColumnHead hideLabel>Revoke</ColumnHead>
      </TableHead>
      <tbody>
        {tokens.map((token) => (
          <tr key={token.id}>
            <td>
              <b className="wrap-anywhere font-medium">{token.name}</b>
              <br />
              <span className="font-mono text-ink-3 text-sm">…{token.lastFour}</span>
            </td>
            <td className="text-sm">
              {token.scopes.map((scope) => (
                <span key={scope} className="block whitespace-nowrap font-mono text-[0.94em]">
                  {scope}
                </span>
              ))}
            </td>
            <td className="text-ink-2 text-sm max-narrow:hidden">
              {token.createdBy}, <TimeAgo moment={token.createdAt} />
            </td>
            <td className="text-ink-2 text-sm max-narrow:hidden">
              {token.lastUsedAt === null ? 'not used yet' : <TimeAgo moment={token.lastUsedAt} />}
            </td>
            <td className="text-sm">
              <TokenExpiration token={token} />
            </td>
            <NumberCell>{token.revokedAt === null ? <RevokeToken token={token} revoke={revoke} /> : null}</NumberCell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function TokenExpiration({ token: { revokedAt, expiresAt } }: { token: ApiToken }) {
  const now = useNow(20_000).toISOString();
  if (revokedAt !== null)
    return (
      <span className="text-ink-3">
        ✕ revoked <TimeAgo moment={revokedAt} />
      </span>
    );
  if (expiresAt === null)
    return (
      <span className="whitespace-nowrap text-wait">
        <TriangleAlert /> never
      </span>
    );
  if (expiresAt <= now) return <span className="text-ink-3">✕ expired</span>;
  return <LocalTime moment={expiresAt} />;
}

/** Revokes a token after explaining the effect on programs that use it. */
function RevokeToken({ token: { id, name }, revoke }: { token: ApiToken } & Pick<TokenActions, 'revoke'>) {
  const [isOpen, setOpen] = useState(false);
  const { isBusy, submitWithToast } = useSubmit('Hone did not respond. The token still works.', {
    refreshes: 'always',
  });
  return (
    <>
      <Button variant="ghost" size="small" onClick={() => setOpen(true)} aria-label={`Revoke ${name}`}>
        Revoke
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Revoke ${name}?`}
        description="Programs with this token lose access immediately. You cannot undo this, but you can create another token."
        action="Revoke"
        busy="Revoking"
        isBusy={isBusy}
        onConfirm={() => submitWithToast(revoke(id), `Revoked ${name}`, () => setOpen(false))}
      />
    </>
  );
}
