import type { History } from '#lib/core/history.ts';

/**
 * The version a model call was about: the one it made, tried, judged or reflected on. What came of a call of the open step is not saved
 * yet, so it goes by the call's role; null where there is no version it could be about.
 */
export function versionOfCall(history: History, call: { step: number; role: string }): number | null {
  const made = history.versions.find(({ step }) => step === call.step);
  if (made !== undefined) return made.number;
  const about = [history.turns, history.evaluations, history.critiques, history.lessons, history.tries]
    .flat()
    .find(({ step }) => step === call.step);
  if (about !== undefined) return about.version;
  if (call.role === 'generate' || call.role === 'revise' || call.role === 'turn') return history.versions.length;
  return history.versions.at(-1)?.number ?? null;
}
