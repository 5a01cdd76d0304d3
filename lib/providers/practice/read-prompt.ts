import { PROMPT_TAGS, type PromptTag, unquote } from '#lib/core/prompts/quote.ts';

/** The quoted parts of a prompt, each the text between its tags. */
export type PromptParts = Map<PromptTag, string>;

const PART = new RegExp(`^<(${PROMPT_TAGS.join('|')})>\\n([\\s\\S]*?)\\n?^</\\1>$`, 'gm');

/**
 * Reads a prompt the way it was put together. Only tags of the prompt itself count: what looks like one inside a quotation is
 * part of that quotation. Parts of the same name are joined.
 */
export function readPrompt(prompt: string): PromptParts {
  const parts: PromptParts = new Map();
  for (const [, name, quoted] of prompt.matchAll(PART)) {
    const tag = PROMPT_TAGS.find((candidate) => candidate === name);
    if (tag === undefined || quoted === undefined) continue;
    const earlier = parts.get(tag);
    const text = unquote(quoted);
    parts.set(tag, earlier === undefined ? text : `${earlier}\n${text}`);
  }
  parts.set('task', lastQuestion(parts.get('task') ?? withoutSections(prompt)));
  return parts;
}

/** A chat prompt has no tags around its task: what stands before the sections that Hone adds, without the sentence that leads to them. */
function withoutSections(prompt: string): string {
  const first = prompt.search(PART);
  return first < 0 ? prompt : prompt.slice(0, first).replace(/\n\n[^\n]+:?\n\n$/, '');
}

const QUESTION = /(?:^|\n\n)User: ([\s\S]*?)(?=\n\n(?:System|User|Assistant|Tool[^:\n]*): |$)/g;

/** What the user asked last, in a transcript; else the text. */
function lastQuestion(task: string): string {
  return [...task.matchAll(QUESTION)].at(-1)?.[1] ?? task;
}

const CASE_VALUE = /<case_(\w+)>([\s\S]*?)<\/case_\1>/g;

/** The items of a quoted list, without their dashes; lines that go on, and what was filled in from a case, belong to the item before. */
export function listItems(part: string | undefined): string[] {
  const items: string[] = [];
  const list = (part ?? '').replace(CASE_VALUE, (_whole, _name, value: string) => value.trim().replace(/\s+/g, ' '));
  for (const line of list.split('\n')) {
    const item = /^\s*[-*]\s+(.*)$/.exec(line)?.[1];
    const last = items.length - 1;
    if (item !== undefined) items.push(item.trim());
    else if (line.trim() !== '') {
      if (last < 0) items.push(line.trim());
      else items[last] = `${items[last]} ${line.trim()}`;
    }
  }
  return items;
}
