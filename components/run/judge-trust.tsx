'use client';

import { Repeat2, TriangleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { MayButton } from '#components/team/may-button.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { ScrollX } from '#components/ui/scroll-x.tsx';
import { formatCost, formatCount, formatScore } from '#lib/format.ts';
import { type RescoreReport, SAME_WITHIN, type ScoreSpread } from '#lib/measures/rescore-report.ts';
import { callsOfEvaluation } from '#lib/reflection/calls-of-evaluation.ts';
import { isJudgedByModel } from '#lib/reflection/judged-by-model.ts';
import type { VersionRecord } from '#lib/reflection/run-record.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';
import { withoutPeople } from '#lib/reflection/without-people.ts';
import { rescorePrice, rescoreState, spreadSentence } from './rescore-words.ts';

type JudgeTrustProps = {
  version: VersionRecord;
  settings: ExperimentSettings;
  report: RescoreReport | undefined;
  isBusy: boolean;
  onRescore: (times: number) => void;
};

/** How far the judge's scores of a version can be trusted: the same output judged again and again, and how far that spreads. */
export function JudgeTrust({ version, settings, report, isBusy, onRescore }: JudgeTrustProps) {
  const [times, setTimes] = useState(5);
  const timesId = useId();
  const judged = withoutPeople(settings);
  const machine = version.evaluations.find(({ by }) => by === 'machine');
  if (machine === undefined || judged.criteria.length === 0) return null;
  const judgedByModel = judged.criteria.some(isJudgedByModel);
  return (
    <section className="pane o3" aria-labelledby="judge-trust-title">
      <div className="ph">
        <h2 id="judge-trust-title">How sure is the score of v{version.number}?</h2>
        {machine.sameModelJudge ? (
          <Badge>
            <TriangleAlert className="i" aria-hidden />
            judged by the model that wrote it
          </Badge>
        ) : null}
      </div>
      <Spread report={report} />
      <div className="row wrap sm mt-2">
        <MayButton needs="editor" onClick={() => onRescore(times)} disabled={isBusy || (report?.waiting ?? 0) > 0}>
          <Repeat2 className="i s" aria-hidden />
          Re-score v{version.number}
        </MayButton>
        <label htmlFor={timesId} className="row">
          <select
            id={timesId}
            className="input slim"
            value={times}
            onChange={(event) => setTimes(Number(event.target.value))}
          >
            {[1, 3, 5, 10, 20].map((count) => (
              <option key={count} value={count}>
                {count}
              </option>
            ))}
          </select>{' '}
          {times === 1 ? 'time' : 'times'}
        </label>
        <span className="muted">{rescorePrice(times, callsOfEvaluation(judged), machine)}</span>
      </div>
      <p className="sm faint mt-1">
        Stored beside the run: its course, scores and budget stay as they are.
        {judgedByModel ? '' : ' Fixed checks always give the same score.'}
      </p>
    </section>
  );
}

function Spread({ report }: { report: RescoreReport | undefined }) {
  if (report === undefined)
    return <p className="sm muted">Not re-scored yet. A judge that gives the same output other scores is noise.</p>;
  const [overall] = report.spreads;
  const state = rescoreState(report);
  return (
    <div aria-live="polite" data-testid="rescore-report">
      {overall && report.asked > report.waiting ? <p>{spreadSentence(overall)}</p> : null}
      {state === null ? null : <p className="sm muted mt-1">{state}.</p>}
      {report.failure === null ? null : (
        <Notice tone="worse" title="A re-score failed">
          {report.failure}
        </Notice>
      )}
      {overall && overall.n > 0 ? <SpreadTable spreads={report.spreads} /> : null}
      <p className="sm faint mt-1">
        {formatCount(report.tokens)} tokens, {formatCost(report.costUsd, report.unpriced)} for{' '}
        {report.asked - report.waiting}
      </p>
    </div>
  );
}

function SpreadTable({ spreads }: { spreads: ScoreSpread[] }) {
  return (
    <ScrollX label="Spread of the re-scores">
      <table className="t tight mt-2">
        <thead>
          <tr>
            <th scope="col">Re-scores of</th>
            <th scope="col" className="num">
              First
            </th>
            <th scope="col" className="num">
              n
            </th>
            <th scope="col" className="num">
              Mean
            </th>
            <th scope="col" className="num" title="Standard deviation of the sample">
              SD
            </th>
            <th scope="col" className="num">
              Lowest to highest
            </th>
            <th scope="col" className="num">
              Within {formatScore(SAME_WITHIN)}
            </th>
          </tr>
        </thead>
        <tbody>
          {spreads.map((spread) => (
            <tr key={spread.criterion ?? ''}>
              <th scope="row" className={spread.criterion === null ? 'b' : 'wrap-anywhere font-normal'}>
                {spread.criterion ?? 'Overall'}
              </th>
              <td className="num">{formatScore(spread.first)}</td>
              <td className="num nw">
                {spread.n}
                {spread.unscored > 0 ? <span className="faint sm"> +{spread.unscored} unscored</span> : null}
              </td>
              <td className="num">{spread.mean === null ? '–' : formatScore(spread.mean)}</td>
              <td className="num">{spread.standardDeviation === null ? '–' : formatScore(spread.standardDeviation)}</td>
              <td className="num nw">
                {spread.lowest === null || spread.highest === null
                  ? '–'
                  : `${formatScore(spread.lowest)} to ${formatScore(spread.highest)}`}
              </td>
              <td className="num nw">{spread.n === 0 ? '–' : `${spread.within} of ${spread.n}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  );
}
