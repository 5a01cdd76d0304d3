/** Tags for quoted data in prompts. */
export const PROMPT_TAGS = [
  'task',
  'rules',
  'lessons',
  'recalled_lessons',
  'draft',
  'issues',
  'open_issues',
  'suggestions',
  'guidance',
  'went_wrong',
  'earlier_critiques',
  'earlier_versions',
  'candidate',
  'criteria',
  'checklist',
  'first',
  'second',
  'scores',
  'feedback',
  'attempt',
  'trajectory',
  'critique',
  'prior_version',
  'prior_scores',
  'error',
  'current_prompt',
  'tried_cases',
  'rejected_proposals',
  'accepted_prompts',
  'compared_prompts',
  'group_diagnoses',
  'answer_form',
  'not_applied',
  'outline',
  'find',
  'replace',
  'add',
  'fix',
  'case_file',
  'case_input',
  'case_output',
  'case_reference',
  'case_metadata',
  'checked_lesson',
  'other_texts',
  'task_description',
  'example_cases',
] as const;
export type PromptTag = (typeof PROMPT_TAGS)[number];

const ZERO_WIDTH_SPACE = '\u200b';
const CLOSING_TAG = new RegExp(`<(\\s*/\\s*(?:${PROMPT_TAGS.join('|')})\\s*>)`, 'gi');
const BROKEN_CLOSING_TAG = new RegExp(`<${ZERO_WIDTH_SPACE}(\\s*/\\s*(?:${PROMPT_TAGS.join('|')})\\s*>)`, 'gi');

/**
 * Quotes data for a prompt, between tags on separate lines. A zero-width space breaks closing tags inside the data, so that no text can end
 * its own quotation. Everything else, including other markup, is unchanged.
 */
export function quote(tag: PromptTag, text: string): string {
  return quoteReady(tag, withoutClosingTags(text));
}

/** Like `quote`, for text whose untrusted parts were already escaped with `withoutClosingTags` or `quoteInline`. */
export function quoteReady(tag: PromptTag, text: string): string {
  return `<${tag}>\n${text}\n</${tag}>`;
}

/** Quotes data within other text: on the same line if it is a single line, else on separate lines. */
export function quoteInline(tag: PromptTag, text: string): string {
  return /[\r\n]/.test(text) ? quote(tag, text) : `<${tag}>${withoutClosingTags(text)}</${tag}>`;
}

/** Escapes all closing tags of prompts in a text with a zero-width space, so that it cannot end a quotation. */
export function withoutClosingTags(text: string): string {
  return text.replace(CLOSING_TAG, `<${ZERO_WIDTH_SPACE}$1`);
}

/** Reverses `quote` on the data. */
export function unquote(quoted: string): string {
  return quoted.replace(BROKEN_CLOSING_TAG, '<$1');
}

const ENDING = 'q[0-9a-f]{16}';
const OPENING_TAG = new RegExp(`<(${PROMPT_TAGS.join('|')})>`, 'g');
const ENDED_TAG = new RegExp(`(</?(?:${PROMPT_TAGS.join('|')}))-${ENDING}>`, 'g');

/** Returns a suffix for tag names, from 16 or more hexadecimal digits. */
export function tagEnding(digits: string): string {
  return `q${digits.slice(0, 16)}`;
}

/**
 * Returns a prompt whose quotation tags have a unique suffix, `<draft-q1f…>`. The quoted data is unchanged. Takes linear time, because a
 * prompt may contain text that is not quoted.
 */
export function renameTags(prompt: string, ending: string): string {
  const find = finder(prompt);
  const parts: string[] = [];
  let end = 0;
  for (const { index, 0: opening, 1: tag = '' } of prompt.matchAll(OPENING_TAG)) {
    if (index < end) continue;
    const start = index + opening.length;
    const isBlock = /^(?:[\n\r\u2028\u2029]|$)/.test(prompt.slice(index - 1, index)) && prompt[start] === '\n';
    const closing = isBlock ? find(`\n</${tag}>$`, start + 1) + 1 : find(`</${tag}>`, start);
    if (closing === Infinity || (!isBlock && find('[\\r\\n]', start) < closing)) continue;
    parts.push(prompt.slice(end, index), `<${tag}-${ending}>`, prompt.slice(start, closing), `</${tag}-${ending}>`);
    end = closing + opening.length + 1;
  }
  return [...parts, prompt.slice(end)].join('');
}

/** Returns a function that finds a pattern at or after a position, or Infinity. For rising positions, it scans the text only once. */
function finder(text: string): (pattern: string, from: number) => number {
  const found = new Map<string, number>();
  return (pattern, from) => {
    const known = found.get(pattern) ?? -1;
    if (known >= from) return known;
    const search = new RegExp(pattern, 'gm');
    search.lastIndex = from;
    const at = search.exec(text)?.index ?? Infinity;
    found.set(pattern, at);
    return at;
  };
}

/** Reverses `renameTags`. */
export function withPlainTags(prompt: string): string {
  return prompt.replace(ENDED_TAG, '$1>');
}
