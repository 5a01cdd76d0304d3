import type { StepCall } from '#lib/core/model-request.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { sumSpend } from '#lib/core/spend.ts';
import type { StepResult } from '#lib/core/step.ts';
import { checkText } from './check-text.ts';
import { checkWithModel } from './check-with-model.ts';

type Screening = { settings: ExperimentSettings; call: StepCall; step: number; now: Date };

/**
 * A result as it is to be recorded: a lesson is screened at once, as its admission will screen it (redacted first), so that one which
 * will be held is withheld from the prompts of its own run too. Where `lessons.check` names a model, it looks at what the patterns let
 * through. What was found then stays on record, whatever becomes of the lesson. Null when the model's call was aborted.
 */
export async function withScreening(
  result: StepResult,
  { settings, call, step, now }: Screening,
): Promise<StepResult | null> {
  if (result.type !== 'lesson') return result;
  const { lesson } = result;
  const { kind, fields } = lesson;
  const { text, findings } = await checkText({ kind, text: lesson.text, fields, sourceInput: '' }, 0, now);
  if (findings.length > 0) return { ...result, lesson: { ...lesson, withheld: true } };
  const { check: model } = settings.lessons;
  if (model === null) return result;
  const checked = await checkWithModel({ model, call, step, place: 0 }, text);
  if (checked === null) return null;
  const { modelCheck, spend } = checked;
  const known = { ...lesson, ...sumSpend([lesson, spend]), modelCheck };
  return { ...result, lesson: modelCheck.outcome === 'held' ? { ...known, withheld: true } : known };
}
