import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { formatNumberOf } from '#lib/format.ts';

type RemoveCasesProps = {
  isOpen: boolean;
  cases: readonly { number: number; split: string | null }[];
  isBusy: boolean;
  onRemove: () => void;
  onClose: () => void;
};

/** Asks before cases are removed, and says what stays. */
export function RemoveCases({ isOpen, cases, isBusy, onRemove, onClose }: RemoveCasesProps) {
  const heldOut = cases.filter(({ split }) => split === 'held_out').length;
  const what = cases.length === 1 ? `case ${cases[0]?.number ?? ''}` : formatNumberOf(cases.length, 'case');
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Remove ${what}?`}
      description={`Runs keep their cases, and older versions of the dataset too.${heldOut > 0 ? ` ${formatNumberOf(heldOut, 'held-out case')} would be measured on no more.` : ''}`}
    >
      <div className="flex items-center gap-2">
        <Button onClick={onRemove} disabled={isBusy}>
          {isBusy ? 'Removing' : 'Remove'}
        </Button>
        <Button variant="ghost" onClick={onClose}>
          {cases.length === 1 ? 'Keep it' : 'Keep them'}
        </Button>
      </div>
    </Dialog>
  );
}
