'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Repeat2, TriangleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { readApi } from '#components/api/call-api.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Select } from '#components/ui/field.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Options } from '#components/ui/options.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { ColumnHead, NumberCell, NumberHead, RowHead, Table, TableHead } from '#components/ui/table.tsx';
import { callsOfEvaluation, isJudgedByModel } from '#lib/core/criterion.ts';
import type { VersionRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatCost, formatCount, formatScore } from '#lib/format.ts';
import { withoutPeople } from '#lib/runs/run-facts.ts';
import type { RescoreReport, ScoreSpread } from '#lib/statistics/rescore-report.ts';
import { SAME_SCORE_TOLERANCE } from '#lib/statistics/same-score.ts';
import { rescorePrice, rescoreState, spreadSentence } from './evaluation-labels.ts';

type JudgeTrustProps = {
  version: VersionRecord;
  settings: ExperimentSettings;
  report: RescoreReport | undefined;
  isBusy: boolean;
  onRescore: (times: number) => void;
};

/** Shows how reliable the judge's scores are: the same output is judged repeatedly and the spread is reported. */
export function JudgeTrust({ version, settings, report, isBusy, onRescore }: JudgeTrustProps) {
  const [times, setTimes] = useState(5);
  const timesId = useId();
  const judged = withoutPeople(settings);
  const machine = version.evaluations.find(({ by }) => by === 'machine');
  if (machine === undefined || judged.criteria.length === 0) return null;
  const judgedByModel = judged.criteria.some(isJudgedByModel);
  return (
    <Pane className="max-medium:order-3" aria-labelledby="judge-trust-title">
      <PaneHeader titleId="judge-trust-title" title={`Reliability of the score of v${version.number}`}>
        {machine.sameModelJudge ? (
          <Badge>
            <TriangleAlert />
            the model judged its own text
          </Badge>
        ) : null}
      </PaneHeader>
      <Spread report={report} />
      <div className="mt-2 flex flex-wrap items-center gap-2 text-sm">
        <RoleButton needs="editor" onClick={() => onRescore(times)} disabled={isBusy || (report?.waiting ?? 0) > 0}>
          <Repeat2 />
          Re-score v{version.number}
        </RoleButton>
        <label htmlFor={timesId} className="flex items-center gap-2">
          <Select size="small" id={timesId} value={times} onValue={(value) => setTimes(Number(value))}>
            <Options of={[1, 3, 5, 10, 20]} />
          </Select>{' '}
          {times === 1 ? 'time' : 'times'}
        </label>
        <span className="text-ink-2">{rescorePrice(times, callsOfEvaluation(judged), machine)}</span>
      </div>
      <p className="mt-1 text-ink-3 text-sm">
        Stored separately. The run, its scores and its budget do not change.
        {judgedByModel ? '' : ' Deterministic checks always give the same score.'}
      </p>
    </Pane>
  );
}

function Spread({ report }: { report: RescoreReport | undefined }) {
  if (report === undefined)
    return (
      <p className="text-ink-2 text-sm">
        No re-scores yet. Re-scoring shows how much the judge varies for the same output.
      </p>
    );
  const [overall] = report.spreads;
  const state = rescoreState(report);
  return (
    <div aria-live="polite" data-testid="rescore-report">
      {overall && report.asked > report.waiting ? <p>{spreadSentence(overall)}</p> : null}
      {state === null ? null : <p className="mt-1 text-ink-2 text-sm">{state}.</p>}
      {report.failure === null ? null : (
        <Notice tone="worse" title="A re-score failed">
          {report.failure}
        </Notice>
      )}
      {overall && overall.n > 0 ? <SpreadTable spreads={report.spreads} /> : null}
      <p className="mt-1 text-ink-3 text-sm">
        {formatCount(report.tokens)} tokens, {formatCost(report.costUsd, report.unpriced)} for{' '}
        {report.asked - report.waiting}
      </p>
    </div>
  );
}

function SpreadTable({ spreads }: { spreads: ScoreSpread[] }) {
  return (
    <Table scrollLabel="Spread of the re-scores" isTight className="mt-2">
      <TableHead>
        <ColumnHead>Re-scores of</ColumnHead>
        <NumberHead>First</NumberHead>
        <NumberHead>n</NumberHead>
        <NumberHead>Mean</NumberHead>
        <NumberHead title="Standard deviation of the sample">SD</NumberHead>
        <NumberHead>Lowest to highest</NumberHead>
        <NumberHead>Within {formatScore(SAME_SCORE_TOLERANCE)}</NumberHead>
      </TableHead>
      <tbody>
        {spreads.map((spread) => (
          <tr key={spread.criterion ?? ''}>
            <RowHead className={spread.criterion === null ? 'font-semibold' : 'wrap-anywhere font-normal'}>
              {spread.criterion ?? 'Overall'}
            </RowHead>
            <NumberCell>{formatScore(spread.first)}</NumberCell>
            <NumberCell>
              {spread.n}
              {spread.unscored > 0 ? <span className="text-ink-3 text-sm"> +{spread.unscored} unscored</span> : null}
            </NumberCell>
            <NumberCell>{spread.mean === null ? '–' : formatScore(spread.mean)}</NumberCell>
            <NumberCell>{spread.standardDeviation === null ? '–' : formatScore(spread.standardDeviation)}</NumberCell>
            <NumberCell>
              {spread.lowest === null || spread.highest === null
                ? '–'
                : `${formatScore(spread.lowest)} to ${formatScore(spread.highest)}`}
            </NumberCell>
            <NumberCell>{spread.n === 0 ? '–' : `${spread.within} of ${spread.n}`}</NumberCell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

const POLL_MS = 1_000;

/** Returns the re-scores of a run. Polls every second while some are pending. */
export function useRescores(
  runId: string,
  initial: RescoreReport[],
): { reports: RescoreReport[]; refresh: () => void } {
  const queryClient = useQueryClient();
  const queryKey = ['rescores', runId];
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await readApi('GET /api/v1/runs/{id}/rescores', { params: { id: runId }, signal })).items,
    initialData: initial,
    staleTime: Number.POSITIVE_INFINITY,
    // Not cached, so that returning to the page shows the data sent with it.
    gcTime: 0,
    refetchInterval: ({ state }) => ((state.data ?? initial).some(({ waiting }) => waiting > 0) ? POLL_MS : false),
  });
  return { reports: data, refresh: () => void queryClient.invalidateQueries({ queryKey }) };
}
