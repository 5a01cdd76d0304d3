'use client';

import { Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { NARROW_ICON } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/confirm-dialog.tsx';
import type { Role } from '#lib/auth/role.ts';
import type { Result } from '#lib/core/problem.ts';
import { RoleButton } from './role-controls.tsx';
import { useSubmit } from './use-submit.ts';

type DeleteButtonProps = {
  name: string;
  what: string;
  remove: () => Promise<Result<unknown>>;
  goTo: string;
  needs?: Role;
  /** True if the button is in a page header. On narrow screens it then shows only its icon. */
  isInHead?: boolean;
};

/** Button that deletes something permanently. A confirmation lists everything that is deleted. */
export function DeleteButton({ name, what, remove, goTo, needs = 'editor', isInHead = false }: DeleteButtonProps) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const { isBusy, submitWithToast } = useSubmit('Hone did not respond. Nothing was deleted.');
  function send() {
    submitWithToast(remove(), `Deleted ${name}`, ({ ok }) => {
      setOpen(false);
      if (!ok) return;
      router.push(goTo);
      router.refresh();
    });
  }
  return (
    <>
      <RoleButton needs={needs} variant="ghost" onClick={() => setOpen(true)}>
        <Trash2 />
        <span className={isInHead ? NARROW_ICON : undefined}>Delete</span>
      </RoleButton>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Delete ${name}?`}
        description={`${what} will be deleted permanently.`}
        action="Delete"
        busy="Deleting"
        isBusy={isBusy}
        onConfirm={send}
      />
    </>
  );
}
