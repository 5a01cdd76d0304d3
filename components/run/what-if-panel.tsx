'use client';

import { Link2, RotateCcw, SlidersHorizontal, X } from 'lucide-react';
import { type ReactNode, useId, useMemo } from 'react';
import { Button, IconButton } from '#components/ui/button.tsx';
import { CheckboxField } from '#components/ui/checkbox-field.tsx';
import { useCopy } from '#components/ui/copy-text.ts';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { ScoreChange } from '#components/ui/score-change.tsx';
import { ColumnHead, NumberCell, NumberHead, RowHead, Table, TableHead } from '#components/ui/table.tsx';
import type { RunRecord } from '#lib/core/run-record.ts';
import { BEST_VERSION_RULES } from '#lib/core/setting-choices.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatCost, formatNumberOf, formatPercent, formatScore } from '#lib/format.ts';
import { rejudged } from '#lib/statistics/rescore-report.ts';
import type { WhatIf } from '#lib/what-if/what-if.ts';
import { MAX_RAIL_VERSIONS, type RailStretch, type Scale, whatIfRail } from '#lib/what-if/what-if-ranges.ts';
import { RULE_NAMES } from './best-version-rules.tsx';
import { type WhatIfOutcome, type WhatIfState, whatIfLabel } from './use-what-if.ts';
import { WhatIfCriteria, WhatIfSlider } from './what-if-settings.tsx';

type WhatIfPanelProps = { record: RunRecord; settings: ExperimentSettings; state: WhatIfState; outcome: WhatIfOutcome };

/**
 * Controls to change settings and replay the stored scores. Shows where the run would have stopped and which version it would have
 * returned.
 */
export function WhatIfPanel({ record, settings, state, outcome }: WhatIfPanelProps) {
  const copy = useCopy();
  const { changes, change } = state;
  const changed = outcome.settings;
  const rails = useRails(outcome, settings, changes);
  const isOver = record.finishedAt !== null;
  const wordsOf = ({ outcome: some }: RailStretch) => whatIfLabel(some, changed, isOver);
  const isRetry = settings.mode === 'retry';
  const early = changed.convergence;
  const ownEarly = settings.convergence;
  return (
    <Pane className="max-medium:order-2" aria-labelledby="what-if-title">
      <PaneHeader>
        <SlidersHorizontal className="text-brand" />
        <h2 id="what-if-title">What if</h2>
        <span className="text-ink-3 text-sm">Replays the stored scores. Makes no model calls and changes nothing.</span>
        <span className="ml-auto flex items-center gap-2">
          <Button variant="ghost" size="small" onClick={state.reset} disabled={!state.isChanged}>
            <RotateCcw />
            Reset
          </Button>
          <IconButton icon={Link2} label="Copy link" onClick={() => copy(window.location.href, 'Link copied')} />
          <IconButton icon={X} label="Close what-if" onClick={state.close} />
        </span>
      </PaneHeader>
      <div className="flex flex-wrap items-start gap-x-8 gap-y-2 *:min-w-0 *:flex-[1_1_17rem]">
        <div>
          <WhatIfSlider
            label="Quality threshold"
            unit="0 to 1"
            value={changed.qualityThreshold}
            own={settings.qualityThreshold}
            min={0}
            max={1}
            step={0.01}
            rail={rails.qualityThreshold}
            wordsOf={wordsOf}
            onChange={(qualityThreshold) => change({ qualityThreshold })}
          />
          <WhatIfSlider
            label="Patience"
            unit="versions"
            value={early?.plateauIterations ?? 2}
            own={ownEarly?.plateauIterations ?? 2}
            min={1}
            max={10}
            step={1}
            disabled={early === null}
            rail={rails.patience}
            wordsOf={wordsOf}
            onChange={(patience) => change({ patience })}
          />
          <WhatIfSlider
            label="Improvement threshold"
            unit="0 to 1"
            value={early?.improvementThreshold ?? 0.05}
            own={ownEarly?.improvementThreshold ?? 0.05}
            min={0}
            max={1}
            step={0.01}
            disabled={early === null || isRetry}
            rail={rails.improvementThreshold}
            wordsOf={wordsOf}
            onChange={(improvementThreshold) => change({ improvementThreshold })}
          />
          <WhatIfSlider
            label="Cap"
            unit={isRetry ? 'attempts' : 'revisions'}
            value={isRetry ? changed.maxAttempts : changed.maxIterations}
            own={isRetry ? settings.maxAttempts : settings.maxIterations}
            min={isRetry ? 1 : 0}
            max={50}
            step={1}
            rail={null}
            wordsOf={wordsOf}
            onChange={(cap) => change({ cap })}
          />
        </div>
        <div>
          <WhatIfAnswer record={record} settings={settings} outcome={outcome} isChanged={state.isChanged} />
        </div>
      </div>
      <div className="mt-2.5 flex flex-wrap items-start gap-x-8 gap-y-2 border-line border-t pt-2.5 *:min-w-0 *:flex-[1_1_17rem]">
        <div className="flex flex-col gap-2">
          <h3>Early stops</h3>
          <CheckboxField
            label="Stop early"
            checked={early !== null}
            onChange={(event) => change({ earlyStops: event.target.checked })}
          />
          <CheckboxField
            label="When the score oscillates"
            checked={early?.detectOscillation ?? false}
            disabled={early === null || isRetry}
            onChange={(event) => change({ detectOscillation: event.target.checked })}
          />
          <CheckboxField
            label={isRetry ? 'When the answer stays the same' : 'When the text hardly changes'}
            checked={early?.detectStability ?? false}
            disabled={early === null}
            onChange={(event) => change({ detectStability: event.target.checked })}
          />
        </div>
        <WhatIfRules outcome={outcome} onChoose={(bestVersion) => change({ bestVersion })} />
      </div>
      <WhatIfCriteria settings={settings} changed={changed} state={state} />
    </Pane>
  );
}

/** Returns the outcome for each value of each scale, given the other current changes. Null if the history is too long to evaluate. */
function useRails(outcome: WhatIfOutcome, settings: ExperimentSettings, changes: WhatIfState['changes']) {
  return useMemo(() => {
    if (outcome.history.versions.length > MAX_RAIL_VERSIONS) return NO_RAILS;
    const history = rejudged(outcome.history, settings, outcome.settings);
    const rail = (scale: Scale) =>
      whatIfRail(scale, history, outcome.settings, (moved) => outcome.replay({ ...changes, ...moved }));
    return {
      qualityThreshold: rail('qualityThreshold'),
      patience: rail('patience'),
      improvementThreshold: rail('improvementThreshold'),
    };
  }, [outcome, settings, changes]);
}

const NO_RAILS = { qualityThreshold: null, patience: null, improvementThreshold: null };

type WhatIfAnswerProps = Omit<WhatIfPanelProps, 'state'> & { isChanged: boolean };

/** Describes the replayed outcome next to the actual one. */
function WhatIfAnswer({ record, settings, outcome, isChanged }: WhatIfAnswerProps) {
  const { happened, would } = outcome;
  const isOver = record.finishedAt !== null;
  const before = whatIfLabel(happened, settings, isOver);
  const after = whatIfLabel(would, outcome.settings, isOver);
  const isSame =
    isChanged && before.ends === after.ends && before.as === after.as && happened.returned === would.returned;
  return (
    <>
      <div aria-live="polite" data-testid="what-if-answer">
        <p>
          <b className="text-brand">
            {!isChanged
              ? 'Change a setting to see how the run would have differed.'
              : isSame
                ? 'The result would be the same.'
                : after.sentence}
          </b>
        </p>
        <p className="mt-1 mb-2 text-ink-2 text-sm">{after.because}</p>
      </div>
      <Table isTight>
        <TableHead>
          <ColumnHead hideLabel>Result</ColumnHead>
          <NumberHead>Actual</NumberHead>
          <NumberHead>What if</NumberHead>
          <NumberHead>
            <span className="sr-only">Difference</span>
          </NumberHead>
        </TableHead>
        <tbody>
          <Row name="Ends" before={before.ends} after={after.ends} />
          <Row name="As" before={before.as} after={after.as} />
          <Row
            name="Returns"
            before={pickOf(happened)}
            after={pickOf(would)}
            difference={scoreChange(happened, would)}
          />
          <Row
            name="Issues open"
            before={happened.openIssues ?? 'unscored'}
            after={would.openIssues ?? 'unscored'}
            difference={countChange(happened.openIssues, would.openIssues)}
          />
          <Row
            name="Versions"
            before={happened.versionCount}
            after={would.versionCount}
            difference={countChange(happened.versionCount, would.versionCount)}
          />
          <Row name="Cost" before={costOf(happened)} after={costOf(would)} difference={costChange(happened, would)} />
        </tbody>
      </Table>
    </>
  );
}

type RowProps = { name: string; before: ReactNode; after: ReactNode; difference?: ReactNode };

function Row({ name, before, after, difference }: RowProps) {
  return (
    <tr>
      <RowHead className="font-normal">{name}</RowHead>
      <NumberCell className="text-ink-2 text-sm">{before}</NumberCell>
      <NumberCell className={before === after ? undefined : 'font-semibold'}>{after}</NumberCell>
      <NumberCell className="text-ink-2 text-sm">{difference ?? null}</NumberCell>
    </tr>
  );
}

/** Returns the version that a replay returns, with its score: `v3 0.74`. */
function pickOf({ returned, evaluations }: WhatIf): string {
  return returned === null ? 'none' : `v${returned} ${formatScore(evaluations.get(returned)?.overallScore ?? null)}`;
}

function scoreChange(before: WhatIf, after: WhatIf): ReactNode {
  const one = before.returned === null ? null : before.evaluations.get(before.returned)?.overallScore;
  const other = after.returned === null ? null : after.evaluations.get(after.returned)?.overallScore;
  return one == null || other == null || before.returned === after.returned ? null : <ScoreChange by={other - one} />;
}

function countChange(before: number | null, after: number | null): string | null {
  if (before === null || after === null || before === after) return null;
  return after > before ? `${after - before} more` : `${before - after} fewer`;
}

function costOf({ spend }: WhatIf): string {
  return spend.costUsd === null ? formatNumberOf(spend.tokenUsage.total, 'token') : formatCost(spend.costUsd, false);
}

function costChange(before: WhatIf, after: WhatIf): string | null {
  const one = before.spend.costUsd ?? before.spend.tokenUsage.total;
  const other = after.spend.costUsd ?? after.spend.tokenUsage.total;
  if (one <= 0 || one === other || (before.spend.costUsd === null) !== (after.spend.costUsd === null)) return null;
  const share = (other - one) / one;
  return `${share > 0 ? '+' : '−'}${formatPercent(Math.abs(share))}`;
}

type WhatIfRulesProps = {
  outcome: WhatIfOutcome;
  onChoose: (rule: ExperimentSettings['bestVersion']) => void;
};

/** Choice of the best-version rule, with the version each rule would return. */
function WhatIfRules({ outcome, onChoose }: WhatIfRulesProps) {
  const name = useId();
  const { happened, would, settings } = outcome;
  return (
    <Table isTight>
      <TableHead>
        <ColumnHead>Best version by</ColumnHead>
        <NumberHead>Actual</NumberHead>
        <NumberHead>What if</NumberHead>
      </TableHead>
      <tbody>
        {BEST_VERSION_RULES.map((rule) => (
          <tr key={rule}>
            <RowHead className="font-normal">
              <label className="flex items-center gap-2">
                <input
                  type="radio"
                  name={name}
                  className="accent-brand"
                  checked={rule === settings.bestVersion}
                  onChange={() => onChoose(rule)}
                />
                {RULE_NAMES[rule]}
              </label>
            </RowHead>
            <NumberCell className="text-ink-2 text-sm">
              {pickOf({ ...happened, returned: happened.bestByRule[rule] })}
            </NumberCell>
            <NumberCell className="font-semibold">{pickOf({ ...would, returned: would.bestByRule[rule] })}</NumberCell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
