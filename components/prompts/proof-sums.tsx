import { MayLink } from '#components/access/may-link.tsx';
import { Chart } from '#components/ui/chart.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { ModelReference } from '#lib/core/settings.ts';
import { formatNumberOf, formatScore } from '#lib/format.ts';
import { failureAdvice } from '#lib/runs/failure-advice.ts';
import type { MeanInterval } from '#lib/statistics/intervals.ts';
import { proofLabel } from './proof-labels.ts';
import { compareRows, failedAlike, type ProofRow, sumOfDraft } from './proof-rows.ts';

type ProofSumsProps = {
  rows: readonly ProofRow[];
  models: readonly ModelReference[];
  /** What the draft is held against, by name; null where there is nothing. */
  before: string | null;
};

/** What the proof says as a whole, for each model: means with their intervals, and whether the difference is more than noise. */
export function ProofSums({ rows, models, before }: ProofSumsProps) {
  return (
    <div className="flex flex-col gap-3">
      {models.map((model, place) => (
        <section key={`${model.provider} ${model.model}`} aria-label={`Sum of ${model.model}`}>
          {models.length > 1 ? <h3 className="mb-1 font-medium">{model.model}</h3> : null}
          <OneSum rows={rows} place={place} model={model} before={before} />
        </section>
      ))}
    </div>
  );
}

type OneSumProps = { rows: readonly ProofRow[]; place: number; model: ModelReference; before: string | null };

function OneSum({ rows, place, model, before }: OneSumProps) {
  const comparison = compareRows(rows, place);
  const words = before === null ? null : proofLabel(comparison, before);
  if (words !== null && comparison.before.scores !== null && comparison.after.scores !== null && before !== null)
    return (
      <div className="grid grid-cols-1 narrow:grid-cols-[minmax(0,16rem)_minmax(0,1fr)] items-start gap-x-8 gap-y-3">
        <ProofIntervals before={{ name: before, scores: comparison.before.scores }} after={comparison.after.scores} />
        <div>
          <p>
            <b>{words.verdict}</b> <span className="text-ink-2">{words.sums}</span>
          </p>
          <p className="mt-1 text-ink-2 text-sm">{words.note}</p>
          {comparison.n < rows.length ? (
            <p className="mt-1 text-ink-3 text-sm">
              For the {formatNumberOf(comparison.n, 'case')} of {rows.length} with scores for both.
            </p>
          ) : null}
        </div>
      </div>
    );
  const alone = sumOfDraft(rows, place);
  const failed = failedAlike(rows, place);
  if (failed !== null) return <AllFailed failed={failed} model={model} />;
  if (alone.scores === null)
    return <p className="text-ink-2 text-sm">Not evaluated yet. Run the evaluation to see how the draft performs.</p>;
  return (
    <div className="grid grid-cols-1 narrow:grid-cols-[minmax(0,16rem)_minmax(0,1fr)] items-start gap-x-8 gap-y-3">
      <ProofIntervals before={null} after={alone.scores} />
      <p className="text-ink-2">
        {alone.right} of {alone.scores.n} right, mean {formatScore(alone.scores.mean)}.
      </p>
    </div>
  );
}

type AllFailedProps = { failed: NonNullable<ReturnType<typeof failedAlike>>; model: ModelReference };

/** That no call gave an answer, why, and the step that helps. */
function AllFailed({ failed, model }: AllFailedProps) {
  const advice = failed.cause === undefined ? null : failureAdvice(failed.cause, { ...model, experimentId: null });
  return (
    <Notice
      tone="worse"
      alert
      title={advice?.title ?? `${formatNumberOf(failed.count, 'answer')} failed.`}
      actions={
        advice === null ? null : (
          <MayLink needs={advice.next.needs} size="small" href={advice.next.href}>
            {advice.next.label}
          </MayLink>
        )
      }
    >
      {advice === null
        ? null
        : `${advice.explanation} ${failed.count === 1 ? 'The answer' : `All ${failed.count} answers`} failed. `}
      <span className="mt-1 block text-ink-2">{failed.message}</span>
    </Notice>
  );
}

type ProofIntervalsProps = { before: { name: string; scores: MeanInterval } | null; after: MeanInterval };

/** Mean scores of an earlier version and the draft, each with its 95% interval. */
function ProofIntervals({ before, after }: ProofIntervalsProps) {
  const lines = [
    ...(before === null ? [] : [{ name: before.name, scores: before.scores, isMine: false }]),
    { name: 'draft', scores: after, isMine: true },
  ];
  const lowest = Math.min(...lines.map(({ scores }) => scores.low ?? scores.mean));
  const from = lowest >= 0.5 ? 0.5 : 0;
  const x = (score: number) => LEFT + ((score - from) / (1 - from)) * (RIGHT - LEFT);
  const height = lines.length * 26 + 32;
  const label = lines.map(({ name, scores }) => `${name} ${wordsOf(scores)}`).join(', ');
  return (
    <Chart
      width={250}
      height={height}
      viewBox={`0 0 250 ${height}`}
      role="img"
      aria-label={`${label} on ${after.n} cases`}
    >
      {[from, (1 + from) / 2, 1].map((score) => (
        <g key={score}>
          <line className="stroke-line" x1={x(score)} x2={x(score)} y1={6} y2={height - 22} />
          <text x={x(score)} y={height - 6} textAnchor="middle">
            {score.toFixed(2)}
          </text>
        </g>
      ))}
      {lines.map(({ name, scores, isMine }, place) => {
        const y = 20 + place * 26;
        return (
          <g key={name}>
            <text className={isMine ? 'fill-brand font-semibold' : 'fill-ink-2'} x={0} y={y + 4}>
              {name} {formatScore(scores.mean)}
            </text>
            {scores.low === null || scores.high === null ? null : (
              <line
                className={isMine ? 'stroke-brand' : 'stroke-ink-2'}
                strokeWidth={2}
                x1={x(scores.low)}
                x2={x(scores.high)}
                y1={y}
                y2={y}
              />
            )}
            <circle className={isMine ? 'fill-brand' : 'fill-ink-2'} cx={x(scores.mean)} cy={y} r={4} />
          </g>
        );
      })}
    </Chart>
  );
}

const LEFT = 76;
const RIGHT = 236;

function wordsOf({ mean, low, high }: MeanInterval): string {
  const score = formatScore(mean);
  return low === null || high === null ? score : `${score} with interval ${formatScore(low)} to ${formatScore(high)}`;
}
