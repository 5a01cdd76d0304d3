import { TextLink } from '#components/ui/link.tsx';
import { LocalTime } from '#components/ui/local-time.tsx';
import { ScoreChange } from '#components/ui/score-change.tsx';
import { ColumnHead, NumberCell, NumberHead, RowHead, Table, TableHead } from '#components/ui/table.tsx';
import { formatNumberOf, formatScore, formatTitle } from '#lib/format.ts';
import type { TrialReport } from '#lib/statistics/trial-report.ts';
import { liftCounts, liftSentence } from './lesson-labels.ts';

/** Result of a trial: the effect of the lesson on each case. */
export function TrialResult({ trial }: { trial: TrialReport }) {
  const { result, firstDraft, ended, runs, repetitions } = trial;
  return (
    <article data-testid="trial">
      <p className="font-medium">
        {ended < runs ? `${ended} of ${runs} runs ended. Preliminary, and often only noise: ` : ''}
        {liftSentence(result)}
      </p>
      <p className="mt-1 text-ink-2 text-sm">
        {liftCounts(result)} {firstDraft.n === 0 ? '' : `First versions: ${liftSentence(firstDraft)}`}
      </p>
      {result.harmedCases.length > 0 ? (
        <p className="wrap-anywhere mt-1 text-sm">
          <b className="font-medium">Hurt</b>:{' '}
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
        <TextLink href={`/experiments/${trial.experimentId}`}>{trial.experimentName}</TextLink>, started by{' '}
        {trial.requestedBy}, <LocalTime moment={trial.createdAt} />
      </p>
    </article>
  );
}

function CaseTable({ trial }: { trial: TrialReport }) {
  return (
    <Table scrollLabel="Test cases" isTight className="mt-2">
      <TableHead>
        <ColumnHead>Case</ColumnHead>
        <NumberHead>Without</NumberHead>
        <NumberHead>With</NumberHead>
        <NumberHead>Change</NumberHead>
      </TableHead>
      <tbody>
        {trial.cases.map((one) => (
          <tr key={one.runWithId ?? one.runWithoutId ?? one.case}>
            <RowHead className="wrap-anywhere whitespace-normal font-normal">{formatTitle(one.case, 80)}</RowHead>
            <NumberCell>
              <ScoreLink runId={one.runWithoutId} score={one.without} />
            </NumberCell>
            <NumberCell>
              <ScoreLink runId={one.runWithId} score={one.with} />
            </NumberCell>
            <NumberCell>
              {one.without === null || one.with === null ? '–' : <ScoreChange by={one.with - one.without} />}
            </NumberCell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function ScoreLink({ runId, score }: { runId: string | null; score: number | null }) {
  if (runId === null) return '–';
  return <TextLink href={`/runs/${runId}`}>{formatScore(score)}</TextLink>;
}
