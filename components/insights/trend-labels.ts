import type { ErrorRates } from '#lib/statistics/error-rates.ts';

/** Where revising on and on would lead, in a word and as the end of a sentence. */
export const TREND_LABELS: Record<NonNullable<ErrorRates['trend']>, { word: string; sentence: string }> = {
  rises: { word: 'rises', sentence: 'so it rises' },
  falls: { word: 'falls', sentence: 'so it falls' },
  within_noise: { word: 'within noise', sentence: 'a difference within noise' },
};
