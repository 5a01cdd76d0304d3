'use client';

import { Copy, Plus } from 'lucide-react';
import { useState } from 'react';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { Button } from '#components/ui/button.tsx';
import { useCopy } from '#components/ui/copy-text.ts';
import { Dialog } from '#components/ui/dialog.tsx';
import { DialogFoot } from '#components/ui/dialog-foot.tsx';
import { Field, Input, Select } from '#components/ui/field.tsx';
import { LocalTime } from '#components/ui/local-time.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Options } from '#components/ui/options.tsx';
import { SubmitForm } from '#components/ui/submit-form.tsx';
import { ROLES, type Role } from '#lib/auth/role.ts';
import type { ShownLink } from '#lib/team/team-links.ts';

const USUAL_ROLE: Role = 'reviewer';

/** Invites a person with a role and shows the link once. */
export function Invite() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus />
        Invite
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Invite member"
        description="They open the link and choose a name and a password. Hone does not send e-mail."
      >
        <InviteForm onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function InviteForm({ onClose }: { onClose: () => void }) {
  const [label, setLabel] = useState('');
  const [role, setRole] = useState<string>(USUAL_ROLE);
  const [made, setMade] = useState<ShownLink | null>(null);
  const { isBusy, problem, errorAt, submit } = useSubmit('Hone did not respond. Check the list before you try again.');
  if (made !== null)
    return (
      <div className="flex flex-col gap-3">
        <MadeLink link={made} title={`Invitation for ${label} created`} />
        <div>
          <Button variant="ghost" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    );
  return (
    <SubmitForm
      className="flex flex-col gap-3"
      onSubmit={() => submit(submitApi('POST /api/v1/invitations', { body: { label, role } }), setMade)}
    >
      <Field label="Label" help="Only to tell open invitations apart" error={errorAt('label')}>
        <Input value={label} maxLength={80} onValue={setLabel} />
      </Field>
      <Field label="Role" error={errorAt('role')}>
        <Select value={role} onValue={setRole}>
          <Options of={ROLES} />
        </Select>
      </Field>
      <DialogFoot
        action="Create link"
        busy="Creating"
        isBusy={isBusy}
        onCancel={onClose}
        problem={
          problem !== null && errorAt('label') === null && errorAt('role') === null
            ? { title: 'No link was created', message: problem.message }
            : null
        }
      />
    </SubmitForm>
  );
}

/** Shows a new link. It cannot be copied later. */
export function MadeLink({ link: { url, expiresAt }, title }: { link: ShownLink; title: string }) {
  const copy = useCopy();
  return (
    <Notice
      title={title}
      alert
      actions={
        <Button size="small" onClick={() => copy(url)}>
          <Copy />
          Copy link
        </Button>
      }
    >
      The link works once, until <LocalTime moment={expiresAt} />. Anyone with the link can use it, so send it only to
      them. It is not shown again.
      <code className="wrap-anywhere mt-1.5 block select-all font-mono text-[0.94em]" data-testid="made-link">
        {url}
      </code>
    </Notice>
  );
}
