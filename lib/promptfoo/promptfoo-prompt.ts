import { z } from 'zod';
import type { PromptfooConfig } from './promptfoo-config.ts';

/** A prompt in Hone's own words: `instructions` is the system's part of a chat. Null where none could be taken. */
export type PromptfooPrompt = { generate: string; instructions: string } | null;
export type PromptfooModel = { kind: string; model: string } | null;

const chatSchema = z.array(z.object({ role: z.string(), content: z.string() })).min(1);
const listedSchema = z.union([z.string(), z.looseObject({ raw: z.string() })]);

/** The first prompt that is a text, its variables as Hone names them, and what was not taken of the others. */
export function promptfooPrompt(
  { prompts }: PromptfooConfig,
  inputVariable: string | null,
): { prompt: PromptfooPrompt; notTaken: string[] } {
  const notTaken: string[] = [];
  const listed: unknown[] = Array.isArray(prompts) ? prompts : prompts === undefined ? [] : [prompts];
  let prompt: PromptfooPrompt = null;
  for (const [at, one] of listed.entries()) {
    const parsed = listedSchema.safeParse(one);
    const text = parsed.success ? (typeof parsed.data === 'string' ? parsed.data : parsed.data.raw) : null;
    const why = text === null ? 'it is no text' : whyNot(text);
    if (text === null || why !== null) notTaken.push(`prompt ${at + 1}: ${why ?? ''}`);
    else if (prompt !== null) notTaken.push(`prompt ${at + 1}: an experiment has one; duplicate it for the next`);
    else prompt = translated(text, inputVariable);
  }
  return { prompt, notTaken };
}

const KINDS = ['openai', 'anthropic', 'google'];

/** The first provider that has a kind of Hone's; others are named. */
export function promptfooModel(config: PromptfooConfig): { model: PromptfooModel; notTaken: string[] } {
  const of = config.providers ?? config.targets;
  const listed: unknown[] = Array.isArray(of) ? of : of === undefined ? [] : [of];
  const names = listed.map((one) => {
    const id = z.object({ id: z.string() }).safeParse(one);
    return typeof one === 'string' ? one : id.success ? id.data.id : 'a provider without an id';
  });
  const models = names.map((name) => {
    const [kind = '', ...rest] = name.split(':');
    const model = rest.filter((part) => !['chat', 'messages', 'completion', 'responses'].includes(part)).join(':');
    return KINDS.includes(kind) && model !== '' ? { kind, model } : null;
  });
  const first = models.findIndex((model) => model !== null);
  const notTaken = names.filter((_, at) => at !== first).map((name) => `provider ${name}`);
  return { model: models[first] ?? null, notTaken };
}

function whyNot(text: string): string | null {
  if (
    /^(?:file:\/\/|langfuse:|portkey:|helicone:|exec:)/.test(text) ||
    /^[\w./-]+\.(?:txt|json|ya?ml|md|js|ts|py|j2)$/.test(text.trim())
  )
    return `${text.trim().slice(0, 80)} is a file or a reference, which is not read`;
  if (text.includes('{%')) return 'its template has logic ({% … %}), which Hone’s templates do not have';
  if (/\{\{[^}]*[|()[\]]/.test(text)) return 'its template has filters or calls, which Hone’s templates do not have';
  return null;
}

function translated(text: string, inputVariable: string | null): { generate: string; instructions: string } {
  const chat = chatOf(text);
  const rename = (part: string) =>
    part.replaceAll(/\{\{-?\s*([\w.]+)\s*-?\}\}/g, (_, name: string) =>
      name === inputVariable ? '{{input}}' : `{{metadata.${name}}}`,
    );
  if (chat === null) return { generate: rename(text), instructions: '' };
  const part = (isSystem: boolean) =>
    chat
      .filter(({ role }) => (role === 'system' || role === 'developer') === isSystem)
      .map(({ content }) => content)
      .join('\n\n');
  return { generate: rename(part(false)), instructions: part(true) };
}

function chatOf(text: string): z.infer<typeof chatSchema> | null {
  if (!text.trimStart().startsWith('[')) return null;
  try {
    const chat = chatSchema.safeParse(JSON.parse(text));
    return chat.success ? chat.data : null;
  } catch {
    return null;
  }
}
