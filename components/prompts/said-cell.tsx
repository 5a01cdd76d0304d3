import { Check, CircleSlash, TriangleAlert, X } from 'lucide-react';
import { formatScore, formatTitle } from '#lib/format.ts';
import type { CellState } from './proof-cells.ts';

/** What was answered, in a line, and whether it is right. */
export function SaidCell({ cell }: { cell: CellState | null }) {
  if (cell === null) return <span className="faint nw">not tried</span>;
  switch (cell.state) {
    case 'waiting':
      return <span className="faint">waits</span>;
    case 'writing':
      return <span className="writing">{formatTitle(cell.text, 80)}</span>;
    case 'failed':
      return (
        <span className="worse">
          <TriangleAlert className="i s" aria-hidden /> failed
        </span>
      );
    case 'made': {
      const { score, satisfactory, output } = cell.proof;
      const said = formatTitle(output, 80) || 'empty';
      if (score === null)
        return (
          <span className="muted">
            <CircleSlash className="i s" aria-hidden /> <span className="vh">unscored: </span>
            {said}
          </span>
        );
      return (
        <span className={satisfactory ? 'better' : 'worse'}>
          {satisfactory ? <Check className="i s" aria-hidden /> : <X className="i s" aria-hidden />}
          <span className="vh">{satisfactory ? 'right: ' : 'wrong: '}</span> {said}
          {score === 0 || score === 1 ? null : <b className="num ml-1">{formatScore(score)}</b>}
        </span>
      );
    }
  }
}
