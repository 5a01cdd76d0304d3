import { Check, CircleSlash, TriangleAlert, X } from 'lucide-react';
import { formatScore, formatTitle } from '#lib/format.ts';
import type { CellState } from './proof-cells.ts';

/** What was answered, in a line, and whether it is right. */
export function SaidCell({ cell }: { cell: CellState | null }) {
  if (cell === null) return <span className="whitespace-nowrap text-ink-3">not tried</span>;
  switch (cell.state) {
    case 'waiting':
      return <span className="text-ink-3">waits</span>;
    case 'writing':
      return (
        <span className="text-brand after:content-['▍']" data-state="writing">
          {formatTitle(cell.text, 80)}
        </span>
      );
    case 'failed':
      return (
        <span className="text-worse">
          <TriangleAlert className="size-3.25" aria-hidden /> failed
        </span>
      );
    case 'made': {
      const { score, satisfactory, output } = cell.proof;
      const said = formatTitle(output, 80) || 'empty';
      if (score === null)
        return (
          <span className="text-ink-2">
            <CircleSlash className="size-3.25" aria-hidden /> <span className="sr-only">unscored: </span>
            {said}
          </span>
        );
      return (
        <span className={satisfactory ? 'text-better' : 'text-worse'}>
          {satisfactory ? <Check className="size-3.25" aria-hidden /> : <X className="size-3.25" aria-hidden />}
          <span className="sr-only">{satisfactory ? 'right: ' : 'wrong: '}</span> {said}
          {score === 0 || score === 1 ? null : (
            <b className="ml-1 whitespace-nowrap text-right">{formatScore(score)}</b>
          )}
        </span>
      );
    }
  }
}
