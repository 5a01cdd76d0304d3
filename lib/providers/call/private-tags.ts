import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { renameTags, tagEnding } from '#lib/core/prompts/quote.ts';
import { TARGET_MODEL } from '#lib/core/targets/target-model.ts';
import type { ModelCaller, ModelRequest } from './model-caller.ts';

/**
 * Wraps a model caller so that tags around quoted data end in an unpredictable suffix. Quoted text can therefore not forge the end of the
 * quotation. The suffix is derived from a secret of the installation and the request, so a call repeated after a crash sends the same
 * prompt. Chat messages are sent unchanged, only Hone's additions are quoted. Text files are quoted when they are read. The journal,
 * fingerprints and saved scores use the plain tags.
 */
export function privateTagsCall(call: ModelCaller, secret: Buffer): ModelCaller {
  const key = createSecretKey(secret);
  return async (request, options) => {
    if (request.role === 'embed' || request.model.model === TARGET_MODEL) return call(request, options);
    const ending = endingFor(request, key);
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
    // A model may repeat a tag, and the response parser expects the plain one.
    const plain = (text: string) => text.replaceAll(`-${ending}`, '');
    const { text, thought, toolCalls } = outcome.reply;
    const reply = {
      ...outcome.reply,
      text: plain(text),
      ...(thought !== undefined && { thought: plain(thought) }),
      ...(toolCalls !== undefined && {
        toolCalls: toolCalls.map((one) => ({ ...one, arguments: plain(one.arguments) })),
      }),
    };
    return { ok: true, reply };
  };
}

/** Derived from the first message only, so that an agent's turns begin with the same text, which providers can cache. */
function endingFor({ model, instructions, prompt }: ModelRequest, key: KeyObject): string {
  for (let again = 0; ; again++) {
    const question = JSON.stringify([model.provider, model.model, instructions, prompt, again]);
    const ending = tagEnding(createHmac('sha256', key).update(`hone prompt tags ${question}`).digest('hex'));
    if (!prompt.includes(ending) && !instructions.includes(ending)) return ending;
  }
}
