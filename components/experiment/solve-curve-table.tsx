import { ScrollX } from '#components/ui/scroll-x.tsx';
import { formatPercent } from '#lib/format.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';
import type { CurvePoint } from './solve-curve.tsx';
import { formatBounds } from './success-cell.tsx';
import { versionLabel } from './version-label.ts';

type SolveCurveTableProps = { curve: readonly CurvePoint[]; mode: ExperimentSettings['mode']; noun: string };

/** A solve curve as numbers: ever solved with its interval, and currently solved. */
export function SolveCurveTable({ curve, mode, noun }: SolveCurveTableProps) {
  return (
    <ScrollX label="Solved, as numbers">
      <table className="t tight sm" data-testid="solve-curve">
        <caption className="vh">
          Runs ever solved by each {noun}, and currently solved at it, of {curve[0]?.n ?? 0}
        </caption>
        <thead>
          <tr>
            <th scope="col">By {noun}</th>
            {curve.map(({ version }) => (
              <th key={version} scope="col" className="num">
                {versionLabel(version, mode)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Ever solved</th>
            {curve.map(({ version, ever }) => (
              <td key={version} className="num b" data-solved={ever.solved}>
                {ever.solved}
              </td>
            ))}
          </tr>
          <tr>
            <th scope="row">Share, 95 %</th>
            {curve.map(({ version, ever }) => (
              <td key={version} className="num faint nw">
                {formatPercent(ever.share)}
                <br />
                {formatBounds(ever)}
              </td>
            ))}
          </tr>
          <tr>
            <th scope="row">Currently solved</th>
            {curve.map(({ version, current }) => (
              <td key={version} className="num" data-current={current.solved} title={formatBounds(current)}>
                {current.solved}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </ScrollX>
  );
}
