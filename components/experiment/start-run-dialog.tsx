'use client';

import { Play } from 'lucide-react';
import { useState } from 'react';
import { MayButton } from '#components/access/may-button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { formatNumberOf } from '#lib/format.ts';
import { StartRunForm, type StartRunFormProps } from './start-run-form.tsx';

/** The button that runs an experiment once more, and the form behind it. */
export function StartRunDialog(props: Omit<StartRunFormProps, 'onStarted'>) {
  const [isOpen, setOpen] = useState(false);
  const dataset = props.datasets.find(({ id }) => id === props.datasetId);
  return (
    <>
      <MayButton needs="editor" variant="primary" onClick={() => setOpen(true)}>
        <Play className="size-3.25" aria-hidden />
        {dataset === undefined ? 'Run a case' : `Run ${formatNumberOf(dataset.caseCount, 'case')}`}
      </MayButton>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Start a run">
        <StartRunForm {...props} onStarted={() => setOpen(false)} />
      </Dialog>
    </>
  );
}
