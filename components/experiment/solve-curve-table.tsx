import { ScrollX } from '#components/ui/scroll-x.tsx';
import { Table } from '#components/ui/table.tsx';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatPercent } from '#lib/format.ts';
import type { CurvePoint } from './solve-curve.tsx';
import { formatBounds } from './success-cell.tsx';
import { versionLabel } from './version-label.ts';

type SolveCurveTableProps = { curve: readonly CurvePoint[]; mode: ExperimentSettings['mode']; noun: string };

/** A solve curve as numbers: ever solved with its interval, and currently solved. */
export function SolveCurveTable({ curve, mode, noun }: SolveCurveTableProps) {
  return (
    <ScrollX label="Solved, as numbers">
      <Table isTight data-testid="solve-curve">
        <caption className="sr-only">
          Runs ever solved by each {noun}, and currently solved at it, of {curve[0]?.n ?? 0}
        </caption>
        <thead>
          <tr>
            <th scope="col">By {noun}</th>
            {curve.map(({ version }) => (
              <th key={version} scope="col" className="whitespace-nowrap text-right">
                {versionLabel(version, mode)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Ever solved</th>
            {curve.map(({ version, ever }) => (
              <td key={version} className="whitespace-nowrap text-right font-semibold" data-solved={ever.solved}>
                {ever.solved}
              </td>
            ))}
          </tr>
          <tr>
            <th scope="row">Share, 95 %</th>
            {curve.map(({ version, ever }) => (
              <td key={version} className="whitespace-nowrap text-right text-ink-3">
                {formatPercent(ever.share)}
                <br />
                {formatBounds(ever)}
              </td>
            ))}
          </tr>
          <tr>
            <th scope="row">Currently solved</th>
            {curve.map(({ version, current }) => (
              <td
                key={version}
                className="whitespace-nowrap text-right"
                data-current={current.solved}
                title={formatBounds(current)}
              >
                {current.solved}
              </td>
            ))}
          </tr>
        </tbody>
      </Table>
    </ScrollX>
  );
}
