'use client';

import { SlidersHorizontal } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { DialogLoading, useWasOpened } from '#components/ui/dialog.tsx';
import { loadOrRetry } from '#components/ui/load-or-retry.tsx';
import type { SetupDialogProps } from './setup-form-dialog.tsx';

const SetupFormDialog = dynamic(
  () => loadOrRetry(() => import('./setup-form-dialog.tsx').then((file) => file.SetupFormDialog)),
  {
    ssr: false,
    loading: DialogLoading,
  },
);

/**
 * Edits the test setup of a prompt: cases, models and criteria. Evaluations of other setups are kept and reappear when their setup is
 * restored.
 */
export function SetupDialog(props: SetupDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const wasOpened = useWasOpened(isOpen);
  return (
    <>
      <RoleButton needs="editor" variant="ghost" onClick={() => setOpen(true)}>
        <SlidersHorizontal />
        Edit setup
      </RoleButton>
      {wasOpened ? <SetupFormDialog {...props} isOpen={isOpen} onOpenChange={setOpen} /> : null}
    </>
  );
}
