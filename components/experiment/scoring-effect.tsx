'use client';

import { ArrowRight } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ScoreChange } from '#components/ui/score-change.tsx';
import { ColumnHead, NumberCell, RowHead, Table, TableHead } from '#components/ui/table.tsx';
import type { Result } from '#lib/core/problem.ts';
import { formatCount, formatNumberOf, formatScore } from '#lib/format.ts';
import type { ScoringEffect as EffectRecord } from '#lib/statistics/scoring-effect.ts';
import { type FormSettings, scoringOf } from './form-settings.ts';

/** Recomputes stored scores with edited weights and thresholds. Null if there are none. */
export type PreviewScoring = (scoring: unknown) => Promise<Result<ScoringPreview | null>>;

type ScoringEffectProps = { initial: FormSettings; settings: FormSettings; preview: PreviewScoring };

/** Debounce of the preview, in milliseconds. */
const PREVIEW_DEBOUNCE_MS = 350;

/** Shows the effect of edited weights and thresholds on the stored scores. Makes no model calls. */
export function ScoringEffect({ initial, settings, preview }: ScoringEffectProps) {
  const [effect, setEffect] = useState<ScoringPreview | 'none' | null>(null);
  const scoring = JSON.stringify(scoringOf(settings));
  const isChanged = scoring !== JSON.stringify(scoringOf(initial));
  const requestId = useRef(0);
  useEffect(() => {
    const turn = ++requestId.current;
    if (!isChanged) {
      setEffect(null);
      return;
    }
    const timer = setTimeout(async () => {
      const result = await preview(JSON.parse(scoring)).catch(() => null);
      // Incomplete input fails validation and keeps the last effect.
      if (turn === requestId.current && result?.ok) setEffect(result.value ?? 'none');
    }, PREVIEW_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [scoring, isChanged, preview]);
  return (
    <div aria-live="polite" data-testid="scoring-effect">
      {!isChanged || effect === null ? null : effect === 'none' ? (
        <p className="text-ink-2 text-sm">No runs are scored yet. The effect appears after the first run.</p>
      ) : (
        <Effect effect={effect} />
      )}
    </div>
  );
}

function Effect({ effect }: { effect: ScoringPreview }) {
  const { satisfactory, overall, n, runs, runsSatisfied, runsWithOtherBest } = effect;
  return (
    <div className="border-line-strong border-l-2 pl-3">
      <h3>Effect on stored scores</h3>
      <p className="mt-1">{effectLabel(effect)}</p>
      {n === 0 || overall === null ? null : (
        <Table isTight className="mt-1">
          <TableHead className="sr-only">
            <ColumnHead>Measure</ColumnHead>
            <ColumnHead>Before and after</ColumnHead>
            <ColumnHead>Of</ColumnHead>
          </TableHead>
          <tbody>
            <Row
              name="Satisfactory"
              before={satisfactory.before}
              after={satisfactory.after}
              of={`of ${formatCount(n)}`}
            />
            <Row
              name="Mean overall"
              before={formatScore(overall.before)}
              after={formatScore(overall.after)}
              of={<ScoreChange by={overall.after - overall.before} />}
            />
            <Row
              name="Runs with a satisfactory version"
              before={runsSatisfied.before}
              after={runsSatisfied.after}
              of={`of ${formatCount(runs)}`}
            />
            <tr>
              <RowHead className="font-normal">Runs with a different best version</RowHead>
              <NumberCell className="font-semibold">{runsWithOtherBest}</NumberCell>
              <NumberCell className="text-ink-2 text-sm">of {formatCount(runs)}</NumberCell>
            </tr>
          </tbody>
        </Table>
      )}
      <p className="mt-1 text-ink-3 text-sm">
        {basisLabel(effect)} Recomputed without model calls. With other scores, the runs might have continued
        differently.
      </p>
    </div>
  );
}

function Row({ name, before, after, of }: { name: string; before: ReactNode; after: ReactNode; of: ReactNode }) {
  return (
    <tr>
      <RowHead className="font-normal">{name}</RowHead>
      <NumberCell>
        <span className="text-ink-2">{before}</span> <ArrowRight aria-label="to" /> <b>{after}</b>
      </NumberCell>
      <NumberCell className="text-ink-2 text-sm">{of}</NumberCell>
    </tr>
  );
}

/** Effect of edited scoring, with the number of checked scores and the settings version they are from. */
export type ScoringPreview = EffectRecord & { looked: number; total: number; experimentVersion: number };

/** Returns the basis of the effect: the number of stored scores and their batch. */
export function basisLabel({ n, runs, unscored, looked, total, experimentVersion }: ScoringPreview): string {
  const parts = [
    `${formatNumberOf(n, 'stored score')} of ${formatNumberOf(runs, 'run')} in the latest batch, run under settings v${experimentVersion}`,
  ];
  if (unscored > 0) parts.push(`${formatNumberOf(unscored, 'unscored one')} left out`);
  if (looked < total)
    parts.push(`the first ${formatNumberOf(looked, 'score')} of ${formatNumberOf(total, 'score')} checked`);
  return `${parts.join('; ')}.`;
}

/** Returns the effect as a sentence. */
export function effectLabel(effect: EffectRecord): string {
  const { n, satisfactory, overall, runsWithOtherBest, unknownCriteria } = effect;
  if (unknownCriteria.length > 0)
    return `${unknownCriteria.join(', ')} ${unknownCriteria.length === 1 ? 'was' : 'were'} not scored there, so the effect is unknown until a run.`;
  if (n === 0 || overall === null) return 'No stored score has all criteria, so the effect is unknown until a run.';
  const isSame =
    satisfactory.before === satisfactory.after &&
    formatScore(overall.before) === formatScore(overall.after) &&
    runsWithOtherBest === 0;
  if (isSame) return 'Stored scores would not change.';
  const difference = satisfactory.after - satisfactory.before;
  if (difference === 0) return 'The number of satisfactory versions would not change.';
  return `${Math.abs(difference)} ${difference > 0 ? 'more' : 'fewer'} would be satisfactory.`;
}
