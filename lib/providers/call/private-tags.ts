import { createHmac } from 'node:crypto';
import { renameTags, tagEnding } from '#lib/core/prompts/quote.ts';
import { TARGET_MODEL } from '#lib/core/targets/target-model.ts';
import type { ModelCaller, ModelRequest } from './model-caller.ts';

/**
 * Asks models with tags around quoted data whose names end in a part that nobody can foresee who wrote the data, so that no text can
 * pass for the end of its own quotation. The part follows from a secret of the installation and the question: a call that is repeated
 * after a kill sends the same prompt. Messages of a chat are sent as they are: only what Hone adds to them is quoted. Text files are quoted where they are read. The journal, fingerprints and kept scores stand above this, and know the plain tags.
 */
export function privateTagsCall(call: ModelCaller, secret: Buffer): ModelCaller {
  return async (request, options) => {
    if (request.role === 'embed' || request.model.model === TARGET_MODEL) return call(request, options);
    const ending = endingFor(request, secret);
    const sent = {
      ...request,
      instructions: renameTags(request.instructions, ending),
      prompt: renameTags(request.prompt, ending),
      ...(request.closing !== undefined && { closing: renameTags(request.closing, ending) }),
      ...(request.files !== undefined && { tagEnding: ending }),
    };
    const isSame =
      sent.tagEnding === undefined &&
      sent.instructions === request.instructions &&
      (request.messages === undefined ? sent.prompt === request.prompt : sent.closing === request.closing);
    if (isSame) return call(request, options);
    const outcome = await call(sent, options);
    if (!outcome.ok) return outcome;
    // A model may repeat a tag: who reads the reply looks for the plain one.
    return { ok: true, reply: { ...outcome.reply, text: outcome.reply.text.replaceAll(`-${ending}`, '') } };
  };
}

/** By the first message alone: the turns of an agent begin with the same text, which providers keep in their caches. */
function endingFor({ model, instructions, prompt }: ModelRequest, secret: Buffer): string {
  for (let again = 0; ; again++) {
    const question = JSON.stringify([model.provider, model.model, instructions, prompt, again]);
    const ending = tagEnding(createHmac('sha256', secret).update(`hone prompt tags ${question}`).digest('hex'));
    if (!prompt.includes(ending) && !instructions.includes(ending)) return ending;
  }
}
