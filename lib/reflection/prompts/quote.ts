/** The tags that prompts quote data in. */
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
  'answer_form',
  'not_applied',
  'outline',
  'find',
  'replace',
  'add',
  'fix',
  'current_prompt',
  'tried_cases',
  'rejected_proposals',
  'case_input',
  'case_output',
  'case_reference',
  'case_metadata',
] as const;
export type PromptTag = (typeof PROMPT_TAGS)[number];

const ZERO_WIDTH_SPACE = '\u200b';
const CLOSING_TAG = new RegExp(`<(\\s*/\\s*(?:${PROMPT_TAGS.join('|')})\\s*>)`, 'gi');
const BROKEN_CLOSING_TAG = new RegExp(`<${ZERO_WIDTH_SPACE}(\\s*/\\s*(?:${PROMPT_TAGS.join('|')})\\s*>)`, 'gi');

/**
 * Data for a prompt, between tags on lines of their own. A closing tag inside the data is broken with a zero-width space,
 * so that no text can end its own quotation; all else, markup of other kinds too, stays as it is.
 */
export function quote(tag: PromptTag, text: string): string {
  return quoteReady(tag, withoutClosingTags(text));
}

/** The same for text whose foreign parts went through `withoutClosingTags` or `quoteInline` already. */
export function quoteReady(tag: PromptTag, text: string): string {
  return `<${tag}>\n${text}\n</${tag}>`;
}

/** Data amid other text, between tags: on its line where it is one line, else on lines of its own. */
export function quoteInline(tag: PromptTag, text: string): string {
  return /[\r\n]/.test(text) ? quote(tag, text) : `<${tag}>${withoutClosingTags(text)}</${tag}>`;
}

/** A text in which no closing tag of a prompt can end a quotation: each is broken with a zero-width space. */
export function withoutClosingTags(text: string): string {
  return text.replace(CLOSING_TAG, `<${ZERO_WIDTH_SPACE}$1`);
}

/** The data again as it was before `quote`. */
export function unquote(quoted: string): string {
  return quoted.replace(BROKEN_CLOSING_TAG, '<$1');
}
