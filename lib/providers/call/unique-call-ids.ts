import type { LanguageModelMiddleware } from 'ai';

/**
 * Gives a use of a tool, in a reply that comes whole, an id of its own where one before it has the same: some servers give all of a turn the
 * same, and the SDK finds the uses of such a reply by their ids. Hone knows them by their place.
 */
export const uniqueCallIds: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  async wrapGenerate({ doGenerate }) {
    const reply = await doGenerate();
    const taken = new Set<string>();
    const content = reply.content.map((part, place) => {
      if (part.type !== 'tool-call') return part;
      const toolCallId = taken.has(part.toolCallId) ? `${part.toolCallId} ${place}` : part.toolCallId;
      taken.add(toolCallId);
      return { ...part, toolCallId };
    });
    return { ...reply, content };
  },
};
