'use client';

import { TriangleAlert } from 'lucide-react';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { TimeAgo } from '#components/ui/time-ago.tsx';
import { formatMoment } from '#lib/format.ts';
import type { ApiToken } from '#lib/reflection/api-token.ts';
import { RevokeToken } from './revoke-token.tsx';
import type { TokenActions } from './token-actions.ts';

type TokenTableProps = { tokens: ApiToken[]; now: string } & Pick<TokenActions, 'revoke'>;

/** API tokens with what they may do, who made them, when they were used last and when they end. */
export function TokenTable({ tokens, now, revoke }: TokenTableProps) {
  return (
    <ScrollX label="API tokens">
      <table className="t edge" data-testid="tokens">
        <thead>
          <tr>
            <th scope="col">Token</th>
            <th scope="col">May</th>
            <th scope="col" className="opt">
              Made
            </th>
            <th scope="col" className="opt">
              Last used
            </th>
            <th scope="col">Ends</th>
            <th scope="col">
              <span className="vh">Revoke</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <tr key={token.id}>
              <td>
                <b className="md5 wrap-anywhere">{token.name}</b>
                <br />
                <span className="mono sm faint">…{token.lastFour}</span>
              </td>
              <td className="sm">
                {token.scopes.map((scope) => (
                  <span key={scope} className="mono nw block">
                    {scope}
                  </span>
                ))}
              </td>
              <td className="sm muted opt">
                {token.createdBy}, <TimeAgo moment={token.createdAt} now={now} />
              </td>
              <td className="sm muted opt">
                {token.lastUsedAt === null ? 'not used yet' : <TimeAgo moment={token.lastUsedAt} now={now} />}
              </td>
              <td className="sm wraps">
                <Ends token={token} now={now} />
              </td>
              <td className="num">{token.revokedAt === null ? <RevokeToken token={token} revoke={revoke} /> : null}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}

function Ends({ token: { revokedAt, expiresAt }, now }: { token: ApiToken; now: string }) {
  if (revokedAt !== null)
    return (
      <span className="faint">
        ✕ revoked <TimeAgo moment={revokedAt} now={now} />
      </span>
    );
  if (expiresAt === null)
    return (
      <span className="waitc nw">
        <TriangleAlert className="i s" aria-hidden /> never
      </span>
    );
  if (expiresAt <= now) return <span className="faint">✕ has ended</span>;
  return <time dateTime={expiresAt}>{formatMoment(expiresAt)}</time>;
}
