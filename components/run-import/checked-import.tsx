import { ScrollX } from '#components/ui/scroll-x.tsx';
import { formatCount, formatNumberOf, formatPercent, formatScore } from '#lib/format.ts';
import type { HistorySummary, RunImport } from '#lib/reflection/run-import.ts';

/** What an import holds: how much, how many cases each attempt solved, and how the first histories went. */
export function CheckedImport({ checked }: { checked: RunImport }) {
  const { runs, cases, attempts, lessons, unscored, models, solvedByAttempt, histories } = checked;
  return (
    <section aria-label="What comes in" data-testid="checked-import">
      <p className="sm mb-3" role="status">
        <b className="md5">{formatNumberOf(runs, 'run')}</b> of {formatNumberOf(cases, 'case')} with{' '}
        {formatNumberOf(attempts, 'attempt')} and {formatNumberOf(lessons, 'lesson')}
        {models.length === 0 ? '' : `, by ${models.join(', ')}`}
        {unscored === 0 ? '' : `; ${formatNumberOf(unscored, 'attempt')} unscored, shown as gaps`}.
      </p>
      {solvedByAttempt.length === 0 ? null : (
        <ScrollX label="Solved by attempt" className="mb-4">
          <table className="t tight" data-testid="solved-by-attempt">
            <thead>
              <tr>
                <th scope="col">After attempt</th>
                {solvedByAttempt.map((_solved, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the place is what it is about.
                  <th key={place} scope="col" className="num">
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
                  <td key={place} className="num">
                    {formatCount(solved)} <span className="faint">{formatPercent(solved / runs)}</span>
                  </td>
                ))}
              </tr>
            </tbody>
          </table>
        </ScrollX>
      )}
      <p className="sm muted mb-1">
        {histories.length < runs ? `The first ${formatCount(histories.length)} of them` : 'Each of them'}
      </p>
      <ScrollX label="Runs" className="capped">
        <table className="t tight">
          <thead>
            <tr>
              <th scope="col" className="opt">
                Run
              </th>
              <th scope="col">Case</th>
              <th scope="col" className="num">
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
        </table>
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
      <td className="sm wrap-anywhere opt">{run}</td>
      <td className="mono sm wrap-anywhere">{caseId}</td>
      <td className="num faint">{formatCount(line)}</td>
      <td className="sm">
        {scores.slice(0, MOST_SCORES).map(formatScore).join(' → ')}
        {more > 0 ? ` and ${formatCount(more)} more` : ''}
      </td>
      <td className="sm nw">{solvedAt === null ? 'not solved' : `✓ by attempt ${formatCount(solvedAt)}`}</td>
    </tr>
  );
}
