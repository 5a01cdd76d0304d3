'use client';

import { DialogWindow } from '#components/ui/dialog-window.tsx';
import { StartRunForm, type StartRunFormProps } from './start-run-form.tsx';

type StartRunWindowProps = Omit<StartRunFormProps, 'onStarted'> & {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
};

/** Dialog with the start form. */
export function StartRunWindow({ isOpen, onOpenChange, ...props }: StartRunWindowProps) {
  return (
    <DialogWindow open={isOpen} onOpenChange={onOpenChange} title="Start a run">
      <StartRunForm {...props} onStarted={() => onOpenChange(false)} />
    </DialogWindow>
  );
}
