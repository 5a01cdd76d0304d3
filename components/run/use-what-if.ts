import { useRouter } from 'next/navigation';
import { createParser, useQueryState } from 'nuqs';
import { useDeferredValue, useEffect, useMemo } from 'react';
import { useLoadedCode } from '#components/ui/use-loaded-code.ts';
import type { History } from '#lib/core/history.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { stopName } from '#lib/core/stop-reasons.ts';
import { formatNumberOf } from '#lib/format.ts';
import { withOutputs } from '#lib/runs/run-facts.ts';
import type { WhatIf, whatIf } from '#lib/what-if/what-if.ts';
import { readChanges, type WhatIfChanges, withChanges, writeChanges } from '#lib/what-if/what-if-changes.ts';
import { stopMeaning } from './stop-reason-labels.ts';

const changesParser = createParser<WhatIfChanges>({
  parse: readChanges,
  serialize: writeChanges,
  eq: (one, other) => writeChanges(one) === writeChanges(other),
});

/** Stored scores of a run as of one of its events. */
export type StoredScores = { history: History; event: number };

/**
 * State of a what-if on a run. It is open while its changes are in the URL. The result is computed from stored scores without model calls.
 */
export function useWhatIf(record: RunRecord, settings: ExperimentSettings, scores: StoredScores) {
  const [changes, setChanges] = useQueryState('whatif', changesParser);
  const router = useRouter();
  // The course of a tuning run depends on example scores, which the page does not load.
  const isOpen = changes !== null && settings.mode !== 'tune';
  useEffect(() => {
    // The run advanced after the page loaded its scores.
    if (isOpen && record.lastEvent > scores.event) router.refresh();
  }, [isOpen, record.lastEvent, scores.event, router]);
  const used = useDeferredValue(changes);
  const history = useMemo(
    () => (isOpen ? withOutputs(scores.history, record.versions) : null),
    [isOpen, scores.history, record.versions],
  );
  const { code: replayRun, isFailed, retry } = useLoadedCode(isOpen, loadReplay);
  const outcome = useMemo(() => {
    if (used === null || history === null || replayRun === null) return null;
    const replay = (some: WhatIfChanges) =>
      replayRun(history, settings, withChanges(settings, some), record.finishedAt);
    return { history, replay, happened: replay({}), would: replay(used), settings: withChanges(settings, used) };
  }, [used, history, settings, record.finishedAt, replayRun]);
  const isChanged = changes !== null && writeChanges(omitUnchanged(changes, settings)) !== 'on';
  return {
    isOpen,
    isFailed: isOpen && isFailed,
    retry,
    isChanged,
    changes: changes ?? {},
    outcome,
    open: () => void setChanges({}),
    close: () => void setChanges(null),
    reset: () => void setChanges({}),
    change: (part: WhatIfChanges) => void setChanges((before) => omitUnchanged({ ...before, ...part }, settings)),
  };
}

/** Loads the replay function. It includes the whole loop, so its code is loaded only when a what-if is opened. */
async function loadReplay(): Promise<typeof whatIf> {
  return (await import('#lib/what-if/what-if.ts')).whatIf;
}

export type WhatIfState = ReturnType<typeof useWhatIf>;
export type WhatIfOutcome = NonNullable<WhatIfState['outcome']>;

/** Removes changes that equal the settings of the run. */
function omitUnchanged(changes: WhatIfChanges, settings: ExperimentSettings): WhatIfChanges {
  const own: WhatIfChanges = {
    qualityThreshold: settings.qualityThreshold,
    cap: settings.mode === 'retry' ? settings.maxAttempts : settings.maxIterations,
    earlyStops: settings.convergence !== null,
    bestVersion: settings.bestVersion,
    ...(settings.convergence && {
      patience: settings.convergence.plateauIterations,
      improvementThreshold: settings.convergence.improvementThreshold,
      detectOscillation: settings.convergence.detectOscillation,
      detectStability: settings.convergence.detectStability,
    }),
  };
  const remaining = { ...changes };
  for (const key of KEYS) if (remaining[key] === own[key]) delete remaining[key];
  const { weights, thresholds, ...rest } = remaining;
  const otherWeights = others(weights, (index) => settings.criteria[index]?.weight);
  const otherThresholds = others(thresholds, (index) => settings.criteria[index]?.threshold);
  return {
    ...rest,
    ...(otherWeights && { weights: otherWeights }),
    ...(otherThresholds && { thresholds: otherThresholds }),
  };
}

const KEYS = [
  'qualityThreshold',
  'cap',
  'earlyStops',
  'bestVersion',
  'patience',
  'improvementThreshold',
  'detectOscillation',
  'detectStability',
] as const;

function others<Value extends number | null>(
  values: Record<number, Value> | undefined,
  own: (index: number) => Value | undefined,
): Record<number, Value> | null {
  const entries = Object.entries(values ?? {}).filter(([index, value]) => own(Number(index)) !== value);
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** Texts that describe the outcome of a replay. `short`: where the run would end, and how if that is known. */
export type WhatIfLabel = {
  sentence: string;
  because: string;
  short: [where: string, how?: string];
  ends: string;
  as: string;
};

/** Describes the outcome of a replay. `isOver`: the run has ended, so nothing more is stored automatically. */
export function whatIfLabel(outcome: WhatIf, settings: ExperimentSettings, isOver: boolean): WhatIfLabel {
  const { end, last, returned } = outcome;
  const at = last === null ? 'before the first version' : `v${last}`;
  const where = last === null ? 'before its first version' : `at v${last}`;
  const would = isOver ? 'would have' : 'would';
  switch (end.type) {
    case 'stops': {
      const name = stopName(end.reason);
      const returnedLabel = returned === null ? 'with nothing to return' : `and returned v${returned}`;
      return {
        sentence: `The run would have stopped ${where} ${returnedLabel}.`,
        because: `${sentenceOf(name)}: ${stopMeaning(end.reason, settings).toLowerCase()}.`,
        short: [at, name],
        ends: at,
        as: name,
      };
    }
    case 'waits': {
      const goOn = end.hook === 'onReflection' ? 'continue' : 'score the version';
      const then = end.wouldStopAs === null ? goOn : `stop as ${stopName(end.wouldStopAs)}`;
      return {
        sentence: `The run would wait for a reviewer at v${end.version}.`,
        because: `There is no stored decision for this pause. By its rules, the run would ${then}.`,
        short: [`v${end.version}`, 'waits'],
        ends: `waits at v${end.version}`,
        as: end.wouldStopAs === null ? 'would continue' : stopName(end.wouldStopAs),
      };
    }
    case 'goes_on': {
      const past = last === null ? 'No results are stored yet.' : `No results are stored after version ${last}.`;
      return {
        sentence: `The run ${would} ${isOver ? 'continued' : 'continue'}. ${past}`,
        because: `No rule stops it within the ${formatNumberOf(outcome.versionCount, 'stored version')}.`,
        short: [`past ${at}`],
        ends: `past ${at}`,
        as: 'continues',
      };
    }
    case 'leaves':
      return {
        sentence: `The run would have continued differently after ${at}. No results are stored for that.`,
        because: `It would have revised v${end.from} next, unlike the actual run. Later stored versions do not apply.`,
        short: [`past ${at}`],
        ends: `past ${at}`,
        as: 'different course',
      };
  }
}

function sentenceOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
