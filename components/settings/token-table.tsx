'use client';

import { TriangleAlert } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { refusalOf } from '#components/access/refusal-of.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { Table } from '#components/ui/table.tsx';
import { TimeAgo } from '#components/ui/time-ago.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { ApiToken } from '#lib/auth/api-token.ts';
import { formatMoment } from '#lib/format.ts';
import type { TokenActions } from './token-actions.ts';

type TokenTableProps = { tokens: ApiToken[]; now: string } & Pick<TokenActions, 'revoke'>;

/** API tokens with what they may do, who made them, when they were used last and when they end. */
export function TokenTable({ tokens, now, revoke }: TokenTableProps) {
  return (
    <ScrollX label="API tokens">
      <Table isInset data-testid="tokens">
        <thead>
          <tr>
            <th scope="col">Token</th>
            <th scope="col">May</th>
            <th scope="col" className="max-narrow:hidden">
              Made
            </th>
            <th scope="col" className="max-narrow:hidden">
              Last used
            </th>
            <th scope="col">Ends</th>
            <th scope="col">
              <span className="sr-only">Revoke</span>
            </th>
          </tr>
        </thead>
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
                {token.createdBy}, <TimeAgo moment={token.createdAt} now={now} />
              </td>
              <td className="text-ink-2 text-sm max-narrow:hidden">
                {token.lastUsedAt === null ? 'not used yet' : <TimeAgo moment={token.lastUsedAt} now={now} />}
              </td>
              <td className="text-sm">
                <Ends token={token} now={now} />
              </td>
              <td className="whitespace-nowrap text-right">
                {token.revokedAt === null ? <RevokeToken token={token} revoke={revoke} /> : null}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </ScrollX>
  );
}

function Ends({ token: { revokedAt, expiresAt }, now }: { token: ApiToken; now: string }) {
  if (revokedAt !== null)
    return (
      <span className="text-ink-3">
        ✕ revoked <TimeAgo moment={revokedAt} now={now} />
      </span>
    );
  if (expiresAt === null)
    return (
      <span className="whitespace-nowrap text-wait">
        <TriangleAlert className="size-3.25" aria-hidden /> never
      </span>
    );
  if (expiresAt <= now) return <span className="text-ink-3">✕ has ended</span>;
  return <time dateTime={expiresAt}>{formatMoment(expiresAt)}</time>;
}

/** Revokes a token, after saying what becomes of the programs that use it. */
function RevokeToken({ token: { id, name }, revoke }: { token: ApiToken } & Pick<TokenActions, 'revoke'>) {
  const router = useRouter();
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const [isBusy, startSending] = useTransition();
  function send() {
    startSending(async () => {
      const result = await revoke(id).catch((error: unknown) =>
        refusalOf(error, 'Hone did not answer. The token still holds.'),
      );
      toast(result.ok ? `Revoked ${name}` : result.problem.message, result.ok ? 'done' : 'problem');
      setOpen(false);
      router.refresh();
    });
  }
  return (
    <>
      <Button variant="ghost" size="small" onClick={() => setOpen(true)} aria-label={`Revoke ${name}`}>
        Revoke
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Revoke ${name}?`}
        description="Programs that use this token are refused from now on. It cannot be taken back: make another token instead."
      >
        <div className="flex items-center gap-2">
          <Button onClick={send} disabled={isBusy}>
            {isBusy ? 'Revoking' : 'Revoke'}
          </Button>
          <Button variant="ghost" onClick={() => setOpen(false)}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </>
  );
}
