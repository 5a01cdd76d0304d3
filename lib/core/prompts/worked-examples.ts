import { messagesOfPrompt, promptOfMessages } from '#lib/core/chat/chat-prompt.ts';
import { templateVariables } from './judge-texts.ts';

/** A worked example: its fields by name, such as `input` and `output`. */
export type WorkedExample = Readonly<Record<string, string>>;

const BLOCK = /<examples>\n((?:<example>\n[\s\S]*?\n<\/example>\n)+)<\/examples>\n*/;
const EXAMPLE = /<example>\n([\s\S]*?)\n<\/example>\n/g;
const FIELD = /<([a-z_]\w*)>\n([\s\S]*?)\n<\/\1>/gi;

/** Whether an example can stand in a prompt: nothing of it is read as a variable, a role line or a tag of the examples. */
export function canBeExample(example: WorkedExample): boolean {
  const tags = ['example', 'examples', ...Object.keys(example)];
  return Object.entries(example).every(
    ([name, text]) =>
      /^[a-z_]\w*$/i.test(name) &&
      !text.includes('{{') &&
      !tags.some((tag) => text.includes(`<${tag}>`) || text.includes(`</${tag}>`)),
  );
}

/**
 * Adds examples to a prompt, after those it has. They stand before the last paragraph if that fills in the case, else at the end. In a chat
 * prompt they stand in its first message.
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
  const { text, examples } = takeExamples(prompt);
  const all = [...examples, ...added];
  if (all.length === 0) return prompt;
  const paragraphs = text.trimEnd().split(/\n{2,}/);
  const last = paragraphs.at(-1) ?? '';
  const isFilled = paragraphs.length > 1 && templateVariables(last).some(({ known }) => known);
  const before = isFilled ? paragraphs.slice(0, -1) : paragraphs;
  return [...before, exampleBlock(all), ...(isFilled ? [last] : [])].filter((part) => part !== '').join('\n\n');
}

function exampleBlock(examples: readonly WorkedExample[]): string {
  const lines = examples.map(
    (example) =>
      `<example>\n${Object.entries(example)
        .map(([name, text]) => `<${name}>\n${text}\n</${name}>`)
        .join('\n')}\n</example>\n`,
  );
  return `<examples>\n${lines.join('')}</examples>`;
}

/** Takes the examples that `withExamples` added out of a text. */
export function takeExamples(text: string): { text: string; examples: WorkedExample[] } {
  const block = BLOCK.exec(text);
  if (block === null) return { text, examples: [] };
  const examples = [...(block[1] ?? '').matchAll(EXAMPLE)].map(([, fields = '']) =>
    Object.fromEntries([...fields.matchAll(FIELD)].map(([, name = '', value = '']) => [name, value])),
  );
  return { text: text.replace(block[0], ''), examples };
}
