import { TriangleAlert } from 'lucide-react';
import { NumberCell, NumberHead, Table } from '#components/ui/table.tsx';
import type { RunEstimate } from '#lib/estimates/run-estimate.ts';
import { formatNumberOf } from '#lib/format.ts';
import { estimateNotes, estimateRows } from './estimate-labels.ts';

/** Shows the lowest and highest estimate of runs, with its basis. */
export function EstimateTable({ estimate }: { estimate: RunEstimate }) {
  const { runs, practice, warnings } = estimate;
  return (
    <div data-testid="estimate" className="max-w-2xl">
      {warnings.map(({ field, message }) => (
        <p key={`${field} ${message}`} className="wrap-anywhere mb-2 text-sm" data-testid="settings-warning">
          <TriangleAlert /> {message}
        </p>
      ))}
      <Table isTight>
        <caption className="sr-only">What {formatNumberOf(runs, 'run')} may take</caption>
        <thead>
          <tr>
            <th scope="col">Before you run</th>
            <NumberHead>Lowest</NumberHead>
            <NumberHead>Highest</NumberHead>
          </tr>
        </thead>
        <tbody>
          {estimateRows(estimate).map(({ name, lowest, highest }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <NumberCell>{lowest}</NumberCell>
              <NumberCell>{highest}</NumberCell>
            </tr>
          ))}
        </tbody>
      </Table>
      <div className="mt-2 flex flex-col gap-1 text-ink-2 text-sm">
        <p>
          {formatNumberOf(runs, 'run')}. Lowest: every first version passes. Highest: every run reaches its cap
          {practice ? '. Practice prices are made up' : ''}.
        </p>
        {estimateNotes(estimate).map((note) => (
          <p key={note} className="wrap-anywhere">
            {note}
          </p>
        ))}
      </div>
    </div>
  );
}
