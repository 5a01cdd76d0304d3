import type { Spend } from '#lib/core/history.ts';
import type { ModelCheck } from '#lib/core/lesson-library.ts';
import type { ModelOutcome, StepCall } from '#lib/core/model-request.ts';
import type { ModelReference } from '#lib/core/settings.ts';
import { spendOfCall } from '#lib/core/spend-of-call.ts';
import { lessonCheckPrompt, lessonCheckReplySchema, readLessonCheck } from './lesson-check-prompt.ts';

/** Behind all calls that write the lessons of a step. */
const FIRST_ORDINAL = 100;

const REMEDY = 'Review the lesson yourself, or name another model at Check new lessons with a model.';

/**
 * Asks a model once whether a new lesson, redacted, gives orders beyond advice. Without a readable answer the lesson is held as well:
 * the reason says so. `place` counts the lessons of a step from 0. Null when the call was aborted.
 */
export async function checkWithModel(
  { model, call, step, place }: { model: ModelReference; call: StepCall; step: number; place: number },
  text: string,
): Promise<{ modelCheck: ModelCheck; spend: Spend } | null> {
  const outcome = await call(step, {
    role: 'lesson_check',
    ordinal: FIRST_ORDINAL + place,
    model,
    ...lessonCheckPrompt(text),
    temperature: null,
    maxOutputTokens: null,
    output: { name: 'lesson_check', schema: lessonCheckReplySchema },
  });
  if (!outcome.ok && outcome.failure.kind === 'aborted') return null;
  const name = `${model.provider}/${model.model}`;
  return { modelCheck: { model: name, ...verdictOf(outcome) }, spend: spendOfCall(outcome) };
}

function verdictOf(outcome: ModelOutcome): Pick<ModelCheck, 'outcome' | 'reason'> {
  if (!outcome.ok) {
    const { message, remedy } = outcome.failure;
    return { outcome: 'held', reason: `It was not checked: ${message} ${remedy}`.trim() };
  }
  const read = readLessonCheck(outcome.reply.text);
  if (!read.ok) return { outcome: 'held', reason: `It was not checked: ${read.reason}. ${REMEDY}` };
  const { verdict, reason } = read.value;
  return { outcome: verdict === 'harmless' ? 'clear' : 'held', reason };
}
