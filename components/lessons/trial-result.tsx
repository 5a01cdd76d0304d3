import Link from 'next/link';
import { Change } from '#components/ui/change.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { Table } from '#components/ui/table.tsx';
import { formatMoment, formatNumberOf, formatScore, formatTitle } from '#lib/format.ts';
import type { TrialReport } from '#lib/statistics/trial-report.ts';
import { liftCounts, liftSentence } from './lift-labels.ts';

/** What a trial says of its lesson: the lift of the result and of first drafts, the cases it harmed, and each case. */
export function TrialResult({ trial }: { trial: TrialReport }) {
  const { result, firstDraft, ended, runs, repetitions } = trial;
  return (
    <article data-testid="trial">
      <p className="font-medium">
        {ended < runs ? `${ended} of ${runs} runs ended. So far: ` : ''}
        {liftSentence(result)}
      </p>
      <p className="mt-1 text-ink-2 text-sm">
        {liftCounts(result)} {firstDraft.n === 0 ? '' : `First versions: ${liftSentence(firstDraft)}`}
      </p>
      {result.harmedCases.length > 0 ? (
        <p className="wrap-anywhere mt-1 text-sm">
          <b className="font-medium">Harmed</b>:{' '}
          {result.harmedCases
            .slice(0, 5)
            .map((one) => `“${formatTitle(one.case, 60)}” (${formatScore(one.without)} to ${formatScore(one.with)})`)
            .join(', ')}
          {result.harmedCases.length > 5 ? ` and ${result.harmedCases.length - 5} more` : ''}
        </p>
      ) : null}
      <details className="mt-2 text-sm">
        <summary className="link">
          {formatNumberOf(trial.cases.length, 'case')}
          {repetitions > 1 ? `, ${repetitions} times each` : ''}
        </summary>
        <CaseTable trial={trial} />
      </details>
      <p className="mt-1 text-ink-3 text-sm">
        <Link className="link" href={`/experiments/${trial.experimentId}`}>
          {trial.experimentName}
        </Link>
        , asked for by {trial.requestedBy}, {formatMoment(trial.createdAt)}
      </p>
    </article>
  );
}

function CaseTable({ trial }: { trial: TrialReport }) {
  return (
    <ScrollX label="Cases of the trial">
      <Table isTight className="mt-2">
        <thead>
          <tr>
            <th scope="col">Case</th>
            <th scope="col" className="whitespace-nowrap text-right">
              Without
            </th>
            <th scope="col" className="whitespace-nowrap text-right">
              With
            </th>
            <th scope="col" className="whitespace-nowrap text-right">
              Change
            </th>
          </tr>
        </thead>
        <tbody>
          {trial.cases.map((one) => (
            <tr key={one.runWithId ?? one.runWithoutId ?? one.case}>
              <th scope="row" className="wrap-anywhere whitespace-normal font-normal">
                {formatTitle(one.case, 80)}
              </th>
              <td className="whitespace-nowrap text-right">
                <ScoreLink runId={one.runWithoutId} score={one.without} />
              </td>
              <td className="whitespace-nowrap text-right">
                <ScoreLink runId={one.runWithId} score={one.with} />
              </td>
              <td className="whitespace-nowrap text-right">
                {one.without === null || one.with === null ? '–' : <Change by={one.with - one.without} />}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </ScrollX>
  );
}

function ScoreLink({ runId, score }: { runId: string | null; score: number | null }) {
  if (runId === null) return '–';
  return (
    <Link className="link" href={`/runs/${runId}`}>
      {formatScore(score)}
    </Link>
  );
}
