import { messagesOfPrompt, promptOfMessages } from '#lib/core/chat/chat-prompt.ts';
import { templateVariables } from './judge-texts.ts';

/** A worked example: fields by name, such as `input` and `output`. */
export type WorkedExample = Readonly<Record<string, string>>;

const OPEN = '<examples>\n';
const CLOSE = '</examples>';

/** Returns the reason why a prompt cannot contain an example, such as a variable or a tag in it, or null. */
export function exampleProblem(example: WorkedExample): string | null {
  const names = Object.keys(example);
  if (names.length === 0) return 'it has no fields';
  const tags = ['example', 'examples', ...names].flatMap((name) => [`<${name}>`, `</${name}>`]);
  for (const [name, text] of Object.entries(example)) {
    if (!/^[a-z_]\w*$/i.test(name))
      return `the name of the field "${name}" has characters other than letters, digits and _, or starts with a digit`;
    if (text.includes('{{')) return `the field "${name}" contains {{`;
    const tag = tags.find((one) => text.includes(one));
    if (tag !== undefined) return `the field "${name}" contains ${tag}`;
  }
  return null;
}

/**
 * Returns a prompt with examples appended to its existing ones. They precede the last paragraph if it contains the case, else they come
 * last. In a chat prompt, they are in its first message.
 */
export function withExamples(prompt: string, examples: readonly WorkedExample[]): string {
  const messages = messagesOfPrompt(prompt);
  if (messages === null) return inText(prompt, examples);
  const first = messages.findIndex(({ role }) => role !== 'history');
  if (first < 0) return prompt;
  return promptOfMessages(
    messages.map((message, at) =>
      at === first && message.role !== 'history' ? { ...message, text: inText(message.text, examples) } : message,
    ),
  );
}

function inText(prompt: string, added: readonly WorkedExample[]): string {
  if (added.length === 0) return prompt;
  const found = findBlock(prompt);
  if (found !== null)
    return prompt.slice(0, found.from) + exampleBlock([...found.examples, ...added]) + prompt.slice(found.to);
  const block = exampleBlock(added);
  const text = prompt.trimEnd();
  const last = text.lastIndexOf('\n\n') + 2;
  if (last > 1 && templateVariables(text.slice(last)).some(({ known }) => known))
    return `${prompt.slice(0, last)}${block}\n\n${prompt.slice(last)}`;
  return text === '' ? block : `${text}\n\n${block}`;
}

function exampleBlock(examples: readonly WorkedExample[]): string {
  const lines = examples.map(
    (example) =>
      `<example>\n${Object.entries(example)
        .map(([name, text]) => `<${name}>\n${text}\n</${name}>`)
        .join('\n')}\n</example>\n`,
  );
  return `${OPEN}${lines.join('')}${CLOSE}`;
}

/** Separates a prompt from the examples that `withExamples` added. Examples in other formats stay in the text. */
export function takeExamples(text: string): { text: string; examples: WorkedExample[] } {
  const block = findBlock(text);
  if (block === null) return { text, examples: [] };
  let to = block.to;
  while (text[to] === '\n') to += 1;
  return { text: text.slice(0, block.from) + text.slice(to), examples: block.examples };
}

/** Returns the first block that is unchanged by parsing and formatting it again, or null. */
function findBlock(text: string): { from: number; to: number; examples: WorkedExample[] } | null {
  let at = 0;
  for (const part of text.split(CLOSE).slice(0, -1)) {
    const open = part.lastIndexOf(OPEN);
    const to = at + part.length + CLOSE.length;
    const examples = open < 0 ? null : readExamples(part.slice(open + OPEN.length));
    if (examples !== null && exampleBlock(examples) === text.slice(at + open, to))
      return { from: at + open, to, examples };
    at = to;
  }
  return null;
}

function readExamples(body: string): WorkedExample[] | null {
  const examples: WorkedExample[] = [];
  let fields: [string, string][] = [];
  const lines = body.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line === '</example>') {
      examples.push(Object.fromEntries(fields));
      fields = [];
    } else if (line !== '<example>' && line !== '') {
      const name = /^<([a-z_]\w*)>$/i.exec(line)?.[1];
      const end = name === undefined ? -1 : lines.indexOf(`</${name}>`, at);
      if (name === undefined || end < 0) return null;
      fields.push([name, lines.slice(at + 1, end).join('\n')]);
      at = end;
    }
  }
  return examples.length === 0 ? null : examples;
}
