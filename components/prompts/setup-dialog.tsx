'use client';

import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { lazyDialog } from '#components/ui/dialog.tsx';
import type { SetupDialogProps } from './setup-form-dialog.tsx';

const SetupFormDialog = lazyDialog(() => import('./setup-form-dialog.tsx').then((file) => file.SetupFormDialog));

/**
 * Edits the test setup of a prompt: cases, models and criteria. Evaluations of other setups are kept and reappear when their setup is
 * restored.
 */
export function SetupDialog(props: SetupDialogProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <RoleButton needs="editor" variant="ghost" onClick={() => setOpen(true)}>
        <SlidersHorizontal />
        Edit setup
      </RoleButton>
      <SetupFormDialog {...props} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}
