import { TriangleAlert } from 'lucide-react';
import { formatNumberOf } from '#lib/format.ts';
import type { RunEstimate } from '#lib/reflection/run-estimate.ts';
import { estimateNotes, estimateRows } from './estimate-words.ts';

/** What runs may take, from lowest to highest, and what that is taken from. */
export function EstimateTable({ estimate }: { estimate: RunEstimate }) {
  const { runs, practice, warnings } = estimate;
  return (
    <div data-testid="estimate" className="max-w-2xl">
      {warnings.map(({ field, message }) => (
        <p key={`${field} ${message}`} className="sm wrap-anywhere mb-2" data-testid="settings-warning">
          <TriangleAlert className="i s inline" aria-hidden /> {message}
        </p>
      ))}
      <table className="t tight">
        <caption className="vh">What {formatNumberOf(runs, 'run')} may take</caption>
        <thead>
          <tr>
            <th scope="col">Before you run</th>
            <th scope="col" className="num">
              Lowest
            </th>
            <th scope="col" className="num">
              Highest
            </th>
          </tr>
        </thead>
        <tbody>
          {estimateRows(estimate).map(({ name, lowest, highest }) => (
            <tr key={name}>
              <th scope="row" className="md5">
                {name}
              </th>
              <td className="num">{lowest}</td>
              <td className="num">{highest}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="sm muted stack gap-1 mt-2">
        <p>
          {formatNumberOf(runs, 'run')}. Lowest: every first version is good enough. Highest: all go to their cap
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
