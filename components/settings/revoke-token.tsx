'use client';

import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { refusalOf } from '#components/team/refusal-of.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { ApiToken } from '#lib/reflection/api-token.ts';
import type { TokenActions } from './token-actions.ts';

/** Revokes a token, after saying what becomes of the programs that use it. */
export function RevokeToken({ token: { id, name }, revoke }: { token: ApiToken } & Pick<TokenActions, 'revoke'>) {
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
