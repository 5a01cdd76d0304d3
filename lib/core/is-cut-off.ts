import type { Version } from './history.ts';

/** Whether the model reached its limit of tokens before the output was at its end. */
export function isCutOff(version: Pick<Version, 'finishReason'>): boolean {
  return version.finishReason === 'length';
}
