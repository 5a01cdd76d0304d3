import type { ApiToken } from '#lib/reflection/api-token.ts';
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
    <section className="cols models" aria-labelledby="tokens">
      <div className="min-w-0">
        <div className="pane border-b-0">
          <div className="ph">
            <h2 id="tokens">API tokens</h2>
          </div>
          <p className="muted max-w-[70ch]">
            Keys for programs: sent as <code className="nw">Authorization: Bearer hone_…</code>, a request may do what
            the token’s scopes allow and no more. Agents reach Hone as a server of tools (MCP over Streamable HTTP) at{' '}
            <code className="wrap-anywhere">{address}/api/mcp</code>, always with a token: there they{' '}
            <code className="nw">recall_lessons</code>, <code className="nw">submit_lesson</code>,{' '}
            <code className="nw">start_run</code> and <code className="nw">read_run</code>.
          </p>
        </div>
        {tokens.length === 0 ? (
          <p className="pane muted border-b-0">No token yet.</p>
        ) : (
          <TokenTable tokens={tokens} revoke={actions.revoke} now={now} />
        )}
      </div>
      <div className="min-w-0">
        <div className="pane border-b-0">
          <div className="ph">
            <h3>Make a token</h3>
          </div>
          <AddToken make={actions.make} address={address} />
        </div>
      </div>
    </section>
  );
}
