import { unquote } from '../prompts/quote.ts';
import type { Strategy } from './strategy.ts';

/** The model answers with the whole new text. */
export const fullRewrite: Strategy = {
  name: 'full_rewrite',
  instructions: `You revise a draft. Mend every issue that is named, keep what is good, and change nothing else. Answer with the whole new text
only, without remarks about what you changed.`,
  form: () => [],
  output: null,
  // What a quotation broke in the draft must not be copied into the text.
  read: (_draft, reply) => ({ ok: true, output: unquote(reply) }),
};
