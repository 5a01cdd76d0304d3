import type {
  LanguageModelV4Prompt,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import { isRecord } from '#lib/core/is-record.ts';
import { PROMPT_TAGS, type PromptTag, unquote } from '#lib/core/prompts/quote.ts';

/** Quoted parts of a prompt: the text between their tags. */
export type PromptParts = Map<PromptTag, string>;

/**
 * Parses a prompt into its parts. Only tags of the prompt itself count: a tag inside a quotation is part of the quotation. Parts with the
 * same name are joined.
 */
export function readPrompt(prompt: string): PromptParts {
  const parts: PromptParts = new Map();
  const sections = sectionsOf(prompt);
  for (const { tag, quoted } of sections) {
    const earlier = parts.get(tag);
    const text = unquote(quoted);
    parts.set(tag, earlier === undefined ? text : `${earlier}\n${text}`);
  }
  // The task of a chat prompt has no tags. It is the text before Hone's sections, without the sentence that introduces them.
  const [first] = sections;
  const before = first === undefined ? prompt : prompt.slice(0, first.start).replace(/\n\n[^\n]+:?\n\n$/, '');
  parts.set('task', lastQuestion(parts.get('task') ?? before));
  return parts;
}

type Section = { tag: PromptTag; quoted: string; start: number };

/** Returns the parts of a prompt between tags that are lines. Reads in linear time, also if many tags are never closed. */
function sectionsOf(prompt: string): Section[] {
  const sections: Section[] = [];
  const unclosed = new Set<PromptTag>();
  const open = new RegExp(`^<(${PROMPT_TAGS.join('|')})>\\n`, 'gm');
  for (let found = open.exec(prompt); found !== null; found = open.exec(prompt)) {
    const tag = PROMPT_TAGS.find((candidate) => candidate === found?.[1]);
    if (tag === undefined || unclosed.has(tag)) continue;
    const close = new RegExp(`^</${tag}>$`, 'gm');
    close.lastIndex = open.lastIndex;
    const end = close.exec(prompt);
    if (end === null) {
      unclosed.add(tag);
      continue;
    }
    sections.push({ tag, quoted: prompt.slice(open.lastIndex, end.index).replace(/\n$/, ''), start: found.index });
    open.lastIndex = close.lastIndex;
  }
  return sections;
}

const QUESTION = /(?:^|\n\n)User: ([\s\S]*?)(?=\n\n(?:System|User|Assistant|Tool[^:\n]*): |$)/g;

/** Returns the user's last question of a transcript, or the whole text. */
function lastQuestion(task: string): string {
  return [...task.matchAll(QUESTION)].at(-1)?.[1] ?? task;
}

const CASE_VALUE = /<case_(\w+)>([\s\S]*?)<\/case_\1>/g;

/** Returns the items of a quoted list without their dashes. Continuation lines and case values belong to the item before. */
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

/** Returns the sentences of a text unchanged. List lines and headings are separate sentences. */
export function sentencesOf(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => line.match(/[^.!?]+(?:[.!?]+(?=\s|$)|$|[.!?]+)+/g) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}/u.test(sentence));
}

export function paragraphsOf(text: string): string[] {
  return text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '');
}

/** Inserts a paragraph before the first one that matches, or at the end. */
export function withParagraph(text: string, paragraph: string, before: RegExp | null): string {
  const paragraphs = paragraphsOf(text.trimEnd());
  const found = before === null ? -1 : paragraphs.findIndex((candidate, at) => at > 0 && before.test(candidate));
  paragraphs.splice(found < 0 ? paragraphs.length : found, 0, paragraph);
  return paragraphs.join('\n\n');
}

/** Appends a sentence to the nth paragraph of prose (the last one if there are fewer). */
export function withSentence(text: string, sentence: string, nth: number): string {
  const paragraphs = paragraphsOf(text.trimEnd());
  if (paragraphs.length === 0) return sentence;
  const at = Math.min(nth, paragraphs.length - 1);
  paragraphs[at] = `${(paragraphs[at] ?? '').trimEnd()} ${sentence}`;
  return paragraphs.join('\n\n');
}

export function wordCount(text: string): number {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.length ?? 0;
}

/** Removes spaces left by a deletion, and capitalizes the beginnings of sentences. */
export function tidyText(text: string): string {
  return text
    .replace(/[^\S\n]{2,}/g, ' ')
    .replace(/[^\S\n]+([,.;:!?])/g, '$1')
    .replace(/,\s*([.!?])/g, '$1')
    .replace(/^[^\S\n]+/gm, '')
    .replace(/(^|[.!?]\s+)(\p{Ll})/gu, (_whole, before: string, letter: string) => before + letter.toUpperCase())
    .trim();
}

/** Tool call in a conversation, with its result. `result` is null if there is none yet. */
export type PastUse = { tool: string; input: Record<string, unknown>; result: string | null; isError: boolean };

/** Agent's conversation as parsed by the practice model. */
export type SeenConversation = {
  instructions: string;
  /** First message. */
  prompt: string;
  /** Later messages to the agent, in order. */
  followUps: string[];
  uses: PastUse[];
  /** Number of turns the agent has taken so far. */
  turns: number;
};

/** Parses a conversation of the AI SDK: the messages, the tool calls and their results. */
export function readConversation(messages: LanguageModelV4Prompt): SeenConversation {
  const instructions: string[] = [];
  const texts: string[] = [];
  const uses = new Map<string, PastUse>();
  let turns = 0;
  for (const message of messages) {
    switch (message.role) {
      case 'system':
        instructions.push(message.content);
        break;
      case 'user':
        texts.push(message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'));
        break;
      case 'assistant':
        turns++;
        for (const part of message.content) if (part.type === 'tool-call') uses.set(part.toolCallId, pastUse(part));
        break;
      case 'tool':
        for (const part of message.content)
          if (part.type === 'tool-result') Object.assign(uses.get(part.toolCallId) ?? {}, resultOf(part));
    }
  }
  const [prompt = '', ...followUps] = texts;
  return { instructions: instructions.join('\n\n'), prompt, followUps, uses: [...uses.values()], turns };
}

function pastUse({ toolName, input }: LanguageModelV4ToolCallPart): PastUse {
  return { tool: toolName, input: isRecord(input) ? { ...input } : {}, result: null, isError: false };
}

function resultOf({ output }: LanguageModelV4ToolResultPart): Pick<PastUse, 'result' | 'isError'> {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { result: output.value, isError: output.type === 'error-text' };
    case 'json':
    case 'error-json':
      return { result: JSON.stringify(output.value), isError: output.type === 'error-json' };
    case 'execution-denied':
      return { result: output.reason ?? 'not allowed', isError: true };
    case 'content':
      return {
        result: output.value.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
        isError: false,
      };
  }
}
