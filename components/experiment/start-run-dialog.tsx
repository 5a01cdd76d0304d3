'use client';

import { Play } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { MayButton } from '#components/access/may-button.tsx';
import { DialogLoading } from '#components/ui/dialog-loading.tsx';
import { useWasOpened } from '#components/ui/use-was-opened.ts';
import { formatNumberOf } from '#lib/format.ts';
import type { StartRunFormProps } from './start-run-form.tsx';

/** The form in the page, for an experiment without runs. */
export const StartRunInPage = dynamic(() => import('./start-run-form.tsx').then((file) => file.StartRunForm));
/** The same in a dialog, which is loaded with it: it opens with the form in it. */
const StartRunWindow = dynamic(() => import('./start-run-window.tsx').then((file) => file.StartRunWindow), {
  ssr: false,
  loading: DialogLoading,
});

/** The button that runs an experiment once more, and the form behind it. */
export function StartRunDialog({ open = false, ...props }: Omit<StartRunFormProps, 'onStarted'> & { open?: boolean }) {
  const [isOpen, setOpen] = useState(open);
  const wasOpened = useWasOpened(isOpen);
  const dataset = props.datasets.find(({ id }) => id === props.datasetId);
  return (
    <>
      <MayButton needs="editor" variant="primary" onClick={() => setOpen(true)}>
        <Play />
        {dataset === undefined ? 'Run a case' : `Run ${formatNumberOf(dataset.caseCount, 'case')}`}
      </MayButton>
      {wasOpened ? <StartRunWindow {...props} isOpen={isOpen} onOpenChange={setOpen} /> : null}
    </>
  );
}
