import type { History, Version } from '../../history.ts';
import { scoreOf } from '../../scored-versions.ts';
import type { ExperimentSettings, SingleStrategy } from '../../settings.ts';
import { candidateState, isRuledOut, waveOf } from '../candidate-state.ts';
import { isVariation } from '../plan-variation.ts';
import { phasesOf, singleStrategy } from './registry.ts';
import { DEFAULT_PATIENCE } from './strategy.ts';

type Settings = Pick<ExperimentSettings, 'tune' | 'convergence'>;

/** A phase also ends after this multiple of the patience in rounds of any outcome, for example if all proposals are rejected. */
const IDLE_ROUNDS_FACTOR = 3;

/** Returns the remaining strategies, the current one first. */
export function remainingPhases(history: History, settings: Settings): readonly SingleStrategy[] {
  return phasesOf(settings.tune.strategy).slice(phaseOf(history, settings).index);
}

/** True if a plateau ends the run: its only strategy ends there, or there is no other strategy to switch to. */
export function endsAtPlateau(history: History, settings: Settings): boolean {
  const [only, second] = phasesOf(settings.tune.strategy);
  return second === undefined ? singleStrategy(only).endsAtPlateau === true : phaseOf(history, settings).isThrough;
}

/** Returns the strategy that made a version, or its proposals. Null for the first prompt, versions by people, and variations. */
export function strategyOf(
  { versions }: Pick<History, 'versions'>,
  { tune }: Pick<ExperimentSettings, 'tune'>,
  { proposal }: Pick<Version, 'proposal'>,
): SingleStrategy | null {
  if (proposal === null || isVariation({ proposal })) return null;
  const [only, second] = phasesOf(tune.strategy);
  if (second === undefined) return only;
  const [first] = proposal.combined ?? [];
  const made = first === undefined ? proposal : versions.find(({ number }) => number === first)?.proposal;
  return made?.strategy ?? only;
}

/**
 * Returns the index of the current strategy in the portfolio. A round is a group of versions that were made in one step. The next strategy
 * follows after as many validated rounds without a new best score as the plateau rule allows, or three times as many of any outcome. The
 * strategy recorded in a version takes priority, so a strategy that had nothing left to do is not used again.
 */
function phaseOf(history: History, settings: Settings): { index: number; isThrough: boolean } {
  const phases = phasesOf(settings.tune.strategy);
  if (phases.length === 1) return { index: 0, isThrough: false };
  const patience = settings.convergence?.plateauIterations ?? DEFAULT_PATIENCE;
  let index = 0;
  let best = Number.NEGATIVE_INFINITY;
  let idle: IdleRounds = { validated: 0, all: 0 };
  for (const wave of Map.groupBy(history.versions, (version) => waveOf(history, version)).values()) {
    const makers = wave.flatMap((version) => strategyOf(history, settings, version) ?? []);
    const made = Math.max(-1, ...makers.map((name) => phases.indexOf(name)));
    if (made > index) {
      index = made;
      idle = { validated: 0, all: 0 };
    }
    const scores = wave.flatMap((version) =>
      isRuledOut(history, version) ? [] : (scoreOf(history, version.number) ?? []),
    );
    const isRise = scores.some((score) => score > best);
    best = Math.max(best, ...scores);
    if (isRise) idle = { validated: 0, all: 0 };
    else if (made >= 0 && wave.every((version) => isSettled(history, settings, version)))
      idle = {
        validated: idle.validated + (wave.some(({ number }) => scoreOf(history, number) !== null) ? 1 : 0),
        all: idle.all + 1,
      };
    if (isPlateau(idle, patience) && index < phases.length - 1) {
      index++;
      idle = { validated: 0, all: 0 };
    }
  }
  return { index, isThrough: isPlateau(idle, patience) };
}

/** Rounds without a new best score: those with a validated version, and those of any outcome. */
type IdleRounds = { validated: number; all: number };

function isPlateau({ validated, all }: IdleRounds, patience: number): boolean {
  return validated >= patience || all >= IDLE_ROUNDS_FACTOR * patience;
}

function isSettled(history: History, settings: Settings, version: Version): boolean {
  const state = candidateState(history, settings, version);
  return state !== 'untried' && state !== 'accepted';
}
