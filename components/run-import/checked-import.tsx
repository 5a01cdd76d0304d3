import { ScrollX } from '#components/ui/scroll-x.tsx';
import { Table } from '#components/ui/table.tsx';
import type { HistorySummary, RunImport } from '#lib/exchange/run-import.ts';
import { formatCount, formatNumberOf, formatPercent, formatScore } from '#lib/format.ts';

/** What an import holds: how much, how many cases each attempt solved, and how the first histories went. */
export function CheckedImport({ checked }: { checked: RunImport }) {
  const { runs, cases, attempts, lessons, unscored, models, solvedByAttempt, histories } = checked;
  return (
    <section aria-label="What comes in" data-testid="checked-import">
      <p className="mb-3 text-sm" role="status">
        <b className="font-medium">{formatNumberOf(runs, 'run')}</b> of {formatNumberOf(cases, 'case')} with{' '}
        {formatNumberOf(attempts, 'attempt')} and {formatNumberOf(lessons, 'lesson')}
        {models.length === 0 ? '' : `, by ${models.join(', ')}`}
        {unscored === 0 ? '' : `; ${formatNumberOf(unscored, 'attempt')} unscored, shown as gaps`}.
      </p>
      {solvedByAttempt.length === 0 ? null : (
        <ScrollX label="Solved by attempt" className="mb-4">
          <Table isTight data-testid="solved-by-attempt">
            <thead>
              <tr>
                <th scope="col">After attempt</th>
                {solvedByAttempt.map((_solved, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the place is what it is about.
                  <th key={place} scope="col" className="whitespace-nowrap text-right">
                    {place + 1}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">Ever solved</th>
                {solvedByAttempt.map((solved, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the place is what it is about.
                  <td key={place} className="whitespace-nowrap text-right">
                    {formatCount(solved)} <span className="text-ink-3">{formatPercent(solved / runs)}</span>
                  </td>
                ))}
              </tr>
            </tbody>
          </Table>
        </ScrollX>
      )}
      <p className="mb-1 text-ink-2 text-sm">
        {histories.length < runs ? `The first ${formatCount(histories.length)} of them` : 'Each of them'}
      </p>
      <ScrollX label="Runs" isCapped>
        <Table isTight>
          <thead>
            <tr>
              <th scope="col" className="max-narrow:hidden">
                Run
              </th>
              <th scope="col">Case</th>
              <th scope="col" className="whitespace-nowrap text-right">
                Line
              </th>
              <th scope="col">Scores by attempt</th>
              <th scope="col">Solved</th>
            </tr>
          </thead>
          <tbody>
            {histories.map((history) => (
              <HistoryRow key={history.line} history={history} />
            ))}
          </tbody>
        </Table>
      </ScrollX>
    </section>
  );
}

/** Scores that are shown of one history. */
const MOST_SCORES = 12;

function HistoryRow({ history: { run, caseId, line, scores, solvedAt } }: { history: HistorySummary }) {
  const more = scores.length - MOST_SCORES;
  return (
    <tr>
      <td className="wrap-anywhere text-sm max-narrow:hidden">{run}</td>
      <td className="wrap-anywhere font-mono text-sm">{caseId}</td>
      <td className="whitespace-nowrap text-right text-ink-3">{formatCount(line)}</td>
      <td className="text-sm">
        {scores.slice(0, MOST_SCORES).map(formatScore).join(' → ')}
        {more > 0 ? ` and ${formatCount(more)} more` : ''}
      </td>
      <td className="whitespace-nowrap text-sm">
        {solvedAt === null ? 'not solved' : `✓ by attempt ${formatCount(solvedAt)}`}
      </td>
    </tr>
  );
}
