'use client';

import { Play } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { lazyDialog } from '#components/ui/dialog.tsx';
import { loadOrRetry } from '#components/ui/load-or-retry.tsx';
import { formatNumberOf } from '#lib/format.ts';
import type { StartRunFormProps } from './start-run-form.tsx';

/** Start form within the page, for an experiment without runs. */
export const StartRunInPage = dynamic(() =>
  loadOrRetry(() => import('./start-run-form.tsx').then((file) => file.StartRunForm)),
);
/** Start form in a dialog. The dialog and the form load together, so it never opens empty. */
const StartRunFormDialog = lazyDialog(() => import('./start-run-form.tsx').then((file) => file.StartRunFormDialog));

/** Button that opens the start form for another run of an experiment. */
export function StartRunDialog({ open = false, ...props }: Omit<StartRunFormProps, 'onStarted'> & { open?: boolean }) {
  const [isOpen, setOpen] = useState(open);
  const dataset = props.datasets.find(({ id }) => id === props.datasetId);
  return (
    <>
      <RoleButton needs="editor" variant="primary" onClick={() => setOpen(true)}>
        <Play />
        {dataset === undefined ? 'Run a case' : `Run ${formatNumberOf(dataset.caseCount, 'case')}`}
      </RoleButton>
      <StartRunFormDialog {...props} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}
