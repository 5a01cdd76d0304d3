import { ScrollX } from '#components/ui/scroll-x.tsx';
import { NumberCell, NumberHead, Table } from '#components/ui/table.tsx';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatNumberOf, formatPercent } from '#lib/format.ts';
import type { BatchReport } from '#lib/statistics/batch-report.ts';
import { formatBounds } from './success-cell.tsx';
import { versionLabel } from './version-label.ts';

type SolveCurveTableProps = { curve: BatchReport['solveCurve']; mode: ExperimentSettings['mode'] };
type TableProps = SolveCurveTableProps & { noun: string };

/** Rows of a solve curve shown initially on a phone. */
const FEW_ROWS = 12;

/** Shows a solve curve as a table: ever solved with its interval, and currently solved. On a phone each attempt or version is a row. */
export function SolveCurveTable({ curve, mode }: SolveCurveTableProps) {
  if (curve.length === 0) return null;
  const noun = mode === 'retry' ? 'attempt' : 'version';
  const props = { curve, mode, noun };
  return (
    <>
      <div className="max-narrow:hidden">
        <ScrollX label="Solved, as numbers">
          <HorizontalTable {...props} />
        </ScrollX>
      </div>
      <div className="narrow:hidden">
        {curve.length > FEW_ROWS ? (
          <details>
            <summary className="cursor-pointer text-ink-2 text-sm">All {formatNumberOf(curve.length, noun)}</summary>
            <VerticalTable {...props} />
          </details>
        ) : (
          <VerticalTable {...props} />
        )}
      </div>
    </>
  );
}

function Caption({ curve, noun }: Pick<TableProps, 'curve' | 'noun'>) {
  return (
    <caption className="sr-only">
      Of {curve[0]?.n ?? 0} runs: ever solved by each {noun}, and solved at that {noun}
    </caption>
  );
}

function VerticalTable({ curve, mode, noun }: TableProps) {
  return (
    <Table isTight>
      <Caption curve={curve} noun={noun} />
      <thead>
        <tr>
          <th scope="col" className="whitespace-normal">
            By {noun}
          </th>
          <NumberHead className="whitespace-normal">Ever solved</NumberHead>
          <NumberHead className="whitespace-normal">Share, 95%</NumberHead>
          <NumberHead>Currently</NumberHead>
        </tr>
      </thead>
      <tbody>
        {curve.map(({ version, ever, current }) => (
          <tr key={version}>
            <th scope="row">{versionLabel(version, mode)}</th>
            <NumberCell className="font-semibold">{ever.solved}</NumberCell>
            <NumberCell className="whitespace-normal text-ink-3">
              {formatPercent(ever.share)} {formatBounds(ever)}
            </NumberCell>
            <NumberCell>{current.solved}</NumberCell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function HorizontalTable({ curve, mode, noun }: TableProps) {
  return (
    <Table isTight data-testid="solve-curve">
      <Caption curve={curve} noun={noun} />
      <thead>
        <tr>
          <th scope="col">By {noun}</th>
          {curve.map(({ version }) => (
            <NumberHead key={version}>{versionLabel(version, mode)}</NumberHead>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">Ever solved</th>
          {curve.map(({ version, ever }) => (
            <NumberCell key={version} className="font-semibold" data-solved={ever.solved}>
              {ever.solved}
            </NumberCell>
          ))}
        </tr>
        <tr>
          <th scope="row">Share, 95%</th>
          {curve.map(({ version, ever }) => (
            <NumberCell key={version} className="text-ink-3">
              {formatPercent(ever.share)}
              <br />
              {formatBounds(ever)}
            </NumberCell>
          ))}
        </tr>
        <tr>
          <th scope="row">Currently solved</th>
          {curve.map(({ version, current }) => (
            <NumberCell key={version} data-current={current.solved} title={formatBounds(current)}>
              {current.solved}
            </NumberCell>
          ))}
        </tr>
      </tbody>
    </Table>
  );
}
