import { redactErrorMessage } from '#lib/lessons/redact-lesson.ts';
import { redactReply } from '#lib/lessons/redact-response.ts';
import type { ModelCaller } from '#lib/providers/call/model-caller.ts';

/**
 * Asks models, and takes out of what they answer as lessons, or say of them, all that no lesson may hold, before anything else sees it: journal,
 * watchers, library and later prompts know only what this lets through. Other answers pass untouched and at no cost.
 */
export function redactedCall(call: ModelCaller): ModelCaller {
  return async (request, options) => {
    if (request.role !== 'lesson' && request.role !== 'lesson_check') return call(request, options);
    // Half a secret is not known for one: nobody watches a lesson being written.
    const outcome = await call(request, { ...options, onText: null });
    if (outcome.ok) {
      const text = await redactReply(outcome.reply.text);
      return { ok: true, reply: { ...outcome.reply, text } };
    }
    // Some providers quote what they could not read. The address stays: without it nobody can act on the message.
    const message = await redactErrorMessage(outcome.failure.message);
    return { ok: false, failure: { ...outcome.failure, message } };
  };
}
