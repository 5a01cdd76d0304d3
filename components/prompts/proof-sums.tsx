import type { ModelReference } from '#lib/core/settings.ts';
import { formatNumberOf, formatScore } from '#lib/format.ts';
import { ProofIntervals } from './proof-intervals.tsx';
import { proofLabel } from './proof-labels.ts';
import { compareRows, type ProofRow } from './proof-rows.ts';
import { sumOfDraft } from './sum-of-draft.ts';

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
          <OneSum rows={rows} place={place} before={before} />
        </section>
      ))}
    </div>
  );
}

function OneSum({ rows, place, before }: { rows: readonly ProofRow[]; place: number; before: string | null }) {
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
              Over the {formatNumberOf(comparison.n, 'case')} of {rows.length} that both are scored on.
            </p>
          ) : null}
        </div>
      </div>
    );
  const alone = sumOfDraft(rows, place);
  if (alone.scores === null)
    return <p className="text-ink-2 text-sm">Not tried yet. Run it to see what the draft makes of the cases.</p>;
  return (
    <div className="grid grid-cols-1 narrow:grid-cols-[minmax(0,16rem)_minmax(0,1fr)] items-start gap-x-8 gap-y-3">
      <ProofIntervals before={null} after={alone.scores} />
      <p className="text-ink-2">
        {alone.right} of {alone.scores.n} right, mean {formatScore(alone.scores.mean)}.
      </p>
    </div>
  );
}
