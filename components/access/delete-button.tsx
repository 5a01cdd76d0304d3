'use client';

import { Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { type ApiName, type RequestParts, submitToRoute } from '#components/api/call-api.ts';
import { NARROW_ICON } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/confirm-dialog.tsx';
import type { Role } from '#lib/auth/role.ts';
import { RoleButton } from './role-controls.tsx';
import { useSubmit } from './use-submit.ts';

type DeleteButtonProps<Name extends ApiName> = {
  name: string;
  what: string;
  /** Route that deletes it, with the parameters of the request. */
  route: Name;
  request: RequestParts<Name>;
  goTo: string;
  needs?: Role;
  /** True if the button is in a page header. On narrow screens it then shows only its icon. */
  isInHead?: boolean;
};

/** Button that deletes something permanently. A confirmation lists everything that is deleted. */
export function DeleteButton<Name extends ApiName>(props: DeleteButtonProps<Name>) {
  const { name, what, route, request, goTo, needs = 'editor', isInHead = false } = props;
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const { isBusy, submitWithToast } = useSubmit('Hone did not respond. Nothing was deleted.');
  function send() {
    submitWithToast(submitToRoute(route, request), `Deleted ${name}`, ({ ok }) => {
      setOpen(false);
      if (ok) router.push(goTo);
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
