import type { History } from '../history.ts';
import type { ExperimentSettings } from '../settings.ts';
import { positionsOf } from './cases-of.ts';
import { shuffled } from './shuffled.ts';

/**
 * The training cases of a round (from 0), by position. Each epoch goes once through all of them in an order of its own that the seed
 * decides; its last minibatch is filled up from the epoch's beginning.
 */
export function minibatch(
  history: Pick<History, 'cases'>,
  { tune }: Pick<ExperimentSettings, 'tune'>,
  round: number,
): number[] {
  const train = positionsOf(history, 'train');
  const size = Math.min(tune.minibatchSize, train.length);
  const epoch = Math.floor(round / roundsOfEpoch(history, { tune }));
  const order = shuffled(train, String, 'minibatch', String(tune.seed), String(epoch));
  const start = (round % roundsOfEpoch(history, { tune })) * size;
  return [...order.slice(start), ...order].slice(0, size);
}

/** In how many rounds every training case comes up. */
export function roundsOfEpoch(history: Pick<History, 'cases'>, { tune }: Pick<ExperimentSettings, 'tune'>): number {
  const train = positionsOf(history, 'train').length;
  return Math.max(1, Math.ceil(train / tune.minibatchSize));
}
