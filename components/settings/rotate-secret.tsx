'use client';

import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';

type RotateSecretProps = { name: string; isBusy: boolean; rotate: () => void };

/** Makes a new secret, after saying what becomes of the old one. */
export function RotateSecret({ name, isBusy, rotate }: RotateSecretProps) {
  const [isOpen, setOpen] = useState(false);
  function send() {
    setOpen(false);
    rotate();
  }
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)} disabled={isBusy}>
        <KeyRound className="size-3.25" aria-hidden />
        Rotate secret
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Rotate the secret of ${name}?`}
        description="A new one is made and shown once. The old one holds no longer: until the service has the new one, it cannot check what is sent to it, and its own answers are refused."
      >
        <div className="flex items-center gap-2">
          <Button onClick={send}>Rotate</Button>
          <Button variant="ghost" onClick={() => setOpen(false)}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </>
  );
}
