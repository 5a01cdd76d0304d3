import { BEST_VERSION_RULES } from '#lib/core/setting-choices.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { DEFAULT_CONVERGENCE } from '#lib/core/stop-reasons.ts';

/** Changed settings of a what-if. Omitted fields do not change. Criteria are identified by their index in the settings. */
export type WhatIfChanges = {
  qualityThreshold?: number;
  /** Number of revisions (revise mode) or attempts (retry mode). */
  cap?: number;
  earlyStops?: boolean;
  patience?: number;
  improvementThreshold?: number;
  detectOscillation?: boolean;
  detectStability?: boolean;
  bestVersion?: ExperimentSettings['bestVersion'];
  weights?: Record<number, number>;
  /** Null if the criterion has no threshold. */
  thresholds?: Record<number, number | null>;
};

/** Returns the settings with the changes, each clamped to its range. Weights that would sum to 0 do not change. */
export function withChanges(settings: ExperimentSettings, changes: WhatIfChanges): ExperimentSettings {
  const convergence = settings.convergence ?? (changes.earlyStops ? DEFAULT_CONVERGENCE : null);
  const cap = changes.cap === undefined ? undefined : Math.round(changes.cap);
  const weights = settings.criteria.map(({ weight }, index) => between(changes.weights?.[index] ?? weight, 0, 100));
  const isWeighed = weights.some((weight) => weight > 0);
  return {
    ...settings,
    qualityThreshold: between(changes.qualityThreshold ?? settings.qualityThreshold, 0, 1),
    maxIterations: settings.mode === 'retry' ? settings.maxIterations : between(cap ?? settings.maxIterations, 0, 50),
    maxAttempts: settings.mode === 'retry' ? between(cap ?? settings.maxAttempts, 1, 50) : settings.maxAttempts,
    bestVersion: changes.bestVersion ?? settings.bestVersion,
    criteria: settings.criteria.map((criterion, index) => ({
      ...criterion,
      weight: isWeighed ? (weights[index] ?? criterion.weight) : criterion.weight,
      threshold: thresholdOf(changes.thresholds?.[index], criterion.threshold),
    })),
    convergence:
      convergence === null || changes.earlyStops === false
        ? null
        : {
            ...convergence,
            plateauIterations: between(Math.round(changes.patience ?? convergence.plateauIterations), 1, 10),
            improvementThreshold: between(changes.improvementThreshold ?? convergence.improvementThreshold, 0, 1),
            detectOscillation: changes.detectOscillation ?? convergence.detectOscillation,
            detectStability: changes.detectStability ?? convergence.detectStability,
          },
  };
}

function thresholdOf(changed: number | null | undefined, original: number | null): number | null {
  const threshold = changed === undefined ? original : changed;
  return threshold === null ? null : between(threshold, 0, 1);
}

function between(value: number, lowest: number, highest: number): number {
  return Math.min(highest, Math.max(lowest, value));
}

/** Encodes the changes for a URL: `quality:0.74~patience:3~weight.0:2`. No changes become `on`. */
export function writeChanges(changes: WhatIfChanges): string {
  const parts: string[] = [];
  for (const [name, key] of NUMBERS) if (changes[key] !== undefined) parts.push(`${name}:${changes[key]}`);
  for (const [name, key] of SWITCHES)
    if (changes[key] !== undefined) parts.push(`${name}:${changes[key] ? 'on' : 'off'}`);
  if (changes.bestVersion !== undefined) parts.push(`best:${changes.bestVersion}`);
  for (const [name, key] of LISTS)
    for (const [index, value] of Object.entries(changes[key] ?? {}))
      parts.push(`${name}.${index}:${value ?? NO_THRESHOLD}`);
  return parts.length === 0 ? 'on' : parts.join('~');
}

/** Parses the output of `writeChanges`, ignoring invalid parts. */
export function readChanges(text: string): WhatIfChanges {
  const changes: WhatIfChanges = {};
  for (const part of text.split('~')) {
    const [path = '', value = ''] = part.split(':');
    const [name = '', index = ''] = path.split('.');
    const number = NUMBERS.find(([candidate]) => candidate === name)?.[1];
    const flag = SWITCHES.find(([candidate]) => candidate === name)?.[1];
    const list = LISTS.find(([candidate]) => candidate === name)?.[1];
    const amount = /^\d+(\.\d+)?$/.test(value) ? Number(value) : null;
    if (number !== undefined && amount !== null) changes[number] = amount;
    if (flag !== undefined && (value === 'on' || value === 'off')) changes[flag] = value === 'on';
    if (list !== undefined && /^\d{1,2}$/.test(index)) setAt(changes, list, Number(index), { amount, value });
    const rule = name === 'best' ? BEST_VERSION_RULES.find((candidate) => candidate === value) : undefined;
    if (rule !== undefined) changes.bestVersion = rule;
  }
  return changes;
}

type ListKey = (typeof LISTS)[number][1];

/** Sets one number of a list. Only a threshold can be removed. */
function setAt(changes: WhatIfChanges, list: ListKey, at: number, to: { amount: number | null; value: string }): void {
  const { amount, value } = to;
  if (list === 'thresholds' && (amount !== null || value === NO_THRESHOLD))
    changes.thresholds = { ...changes.thresholds, [at]: amount };
  if (list === 'weights' && amount !== null) changes.weights = { ...changes.weights, [at]: amount };
}

const NO_THRESHOLD = 'none';
const NUMBERS = [
  ['quality', 'qualityThreshold'],
  ['cap', 'cap'],
  ['patience', 'patience'],
  ['rise', 'improvementThreshold'],
] as const;
const SWITCHES = [
  ['early', 'earlyStops'],
  ['oscillation', 'detectOscillation'],
  ['stability', 'detectStability'],
] as const;
const LISTS = [
  ['weight', 'weights'],
  ['threshold', 'thresholds'],
] as const;
