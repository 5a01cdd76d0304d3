import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { useModKey } from '#components/ui/use-mod-key.ts';
import { formatCount, formatList, formatNumberOf } from '#lib/format.ts';
import type { ImportPreview } from './use-import-preview.ts';

type ImportActionsProps = {
  preview: ImportPreview | null;
  isLooking: boolean;
  isReady: boolean;
  isSaving: boolean;
  leavesOut: boolean;
  onLeaveOut: (leavesOut: boolean) => void;
  onSend: () => void;
  aftermath: ReactNode;
};

/** The end of an import: what it stores, or what is in its way. */
export function ImportActions(props: ImportActionsProps) {
  const { preview, isLooking, isReady, isSaving, leavesOut, onLeaveOut, onSend, aftermath } = props;
  const whyId = useId();
  const mod = useModKey();
  const wrong = preview?.wrong ?? 0;
  const ready = preview?.ready ?? 0;
  const lines = wrong === 1 ? '1 line' : `${formatCount(wrong)} lines`;
  return (
    <Pane className="border-b-0" data-testid="import-actions">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          variant="primary"
          disabled={!isReady || isSaving || isLooking}
          aria-describedby={whyId}
          aria-keyshortcuts="Control+Enter"
          onClick={onSend}
        >
          {isSaving ? 'Storing' : `Import ${ready > 0 ? formatNumberOf(ready, 'case') : 'cases'}`}{' '}
          {isReady && !isSaving && !isLooking ? <kbd aria-hidden>{mod}↵</kbd> : null}
        </Button>
        {wrong > 0 ? (
          <Button onClick={() => onLeaveOut(!leavesOut)}>
            {leavesOut ? `Don’t leave them out` : `Leave out ${lines}`}
          </Button>
        ) : null}
      </div>
      <p
        id={whyId}
        className={
          wrong > 0 && !leavesOut ? 'mt-2 flex items-start gap-1 text-sm text-worse' : 'mt-2 text-ink-2 text-sm'
        }
        role="status"
      >
        {wrong > 0 && !leavesOut ? (
          <>
            <TriangleAlert className="mt-0.5 size-3.25" aria-hidden />
            <span>
              Mend {whichLines(preview)} first, or leave {wrong === 1 ? 'it' : 'them'} out. Nothing is stored while a
              line is wrong.
            </span>
          </>
        ) : (
          whyNot({ preview, isLooking, ready, left: leavesOut ? wrong : 0, lines })
        )}
      </p>
      <p className="mt-2.5 text-ink-2 text-sm">{aftermath}</p>
    </Pane>
  );
}

function whyNot(of: {
  preview: ImportPreview | null;
  isLooking: boolean;
  ready: number;
  left: number;
  lines: string;
}): string {
  if (of.isLooking) return 'Looking at the lines.';
  if (of.preview === null) return 'There is nothing to import yet.';
  if (of.ready === 0)
    return of.preview.same > 0 ? 'All of these cases are there already.' : 'There is no case in it yet.';
  return of.left > 0 ? `${of.lines} ${of.left === 1 ? 'is' : 'are'} left out.` : 'All of it is stored, or nothing.';
}

function whichLines(preview: ImportPreview | null): string {
  const lines = [...new Set((preview?.faults ?? []).map(({ line }) => line))];
  const named = lines.slice(0, 4).map(String);
  const rest = (preview?.wrong ?? 0) - named.length;
  const list = formatList(rest > 0 ? [...named, `${formatCount(rest)} more`] : named);
  return `${lines.length === 1 && rest <= 0 ? 'line' : 'lines'} ${list}`;
}
