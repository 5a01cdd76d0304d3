import { Columns } from '#components/ui/columns.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { ApiToken } from '#lib/auth/api-token.ts';
import { AddToken } from './add-token.tsx';
import type { TokenActions } from './token-actions.ts';
import { TokenTable } from './token-table.tsx';

type TokensPartProps = {
  tokens: ApiToken[];
  /** Where people reach Hone, without a slash at the end. */
  address: string;
  actions: TokenActions;
  /** The server's. */
  now: string;
};

/** The API tokens of the installation, a form for another, and how agents reach Hone's own tools with one. */
export function TokensPart({ tokens, address, actions, now }: TokensPartProps) {
  return (
    <Columns className="medium:grid-cols-[minmax(0,1fr)_25rem]" aria-labelledby="tokens">
      <div className="min-w-0">
        <Pane className="border-b-0">
          <PaneHeader>
            <h2 id="tokens">API tokens</h2>
          </PaneHeader>
          <p className="max-w-[70ch] text-ink-2">
            Keys for programs: sent as <code className="whitespace-nowrap">Authorization: Bearer hone_…</code>, a
            request may do what the token’s scopes allow and no more. Agents reach Hone as a server of tools (MCP over
            Streamable HTTP) at <code className="wrap-anywhere">{address}/api/mcp</code>, always with a token: there
            they <code className="whitespace-nowrap">recall_lessons</code>,{' '}
            <code className="whitespace-nowrap">submit_lesson</code>,{' '}
            <code className="whitespace-nowrap">start_run</code> and <code className="whitespace-nowrap">read_run</code>
            .
          </p>
        </Pane>
        {tokens.length === 0 ? (
          <Pane asChild className="border-b-0 text-ink-2">
            <p>No token yet.</p>
          </Pane>
        ) : (
          <TokenTable tokens={tokens} revoke={actions.revoke} now={now} />
        )}
      </div>
      <div className="min-w-0">
        <Pane className="border-b-0">
          <PaneHeader>
            <h3>Make a token</h3>
          </PaneHeader>
          <AddToken make={actions.make} address={address} />
        </Pane>
      </div>
    </Columns>
  );
}
