import type { PromptOptions } from '#lib/core/prompt-options.ts';

export const NO_OPTIONS: PromptOptions = { tools: [], responseSchema: null };

/** Text of a prompt, with its tools and response schema. */
export type PromptBody = PromptOptions & { text: string };

/** Tools whose files are imported as prompts, by format. */
export const PROMPT_FILE_TOOLS = {
  gepa: 'GEPA',
  dspy: 'DSPy',
  langfuse: 'Langfuse',
  langchain: 'LangSmith',
  openai: 'OpenAI',
  github: 'GitHub Models',
  prompty: 'Prompty',
  dotprompt: 'Dotprompt',
} as const;
export type PromptFileFormat = keyof typeof PROMPT_FILE_TOOLS;

/** Returns true if a prompt has tools or a response schema. */
export function hasOptions({ tools, responseSchema }: PromptOptions): boolean {
  return tools.length > 0 || responseSchema !== null;
}

/** Returns true if two prompts have the same tools and response schema. */
export function hasSameOptions(one: PromptOptions, other: PromptOptions): boolean {
  return optionsKey(one) === optionsKey(other);
}

/** Returns true if two prompts have the same text, tools and response schema. */
export function isSamePrompt(one: PromptBody, other: PromptBody): boolean {
  return one.text === other.text && hasSameOptions(one, other);
}

/** Serializes tools and response schema for comparison. Empty if there are none. The order of keys matters. */
export function optionsKey({ tools, responseSchema }: PromptOptions): string {
  return hasOptions({ tools, responseSchema }) ? JSON.stringify([tools, responseSchema]) : '';
}

/** Formats a prompt with its tools and response schema as one text for line-by-line comparison. */
export function promptDocument({ text, tools, responseSchema }: PromptBody): string {
  return [
    text,
    ...(tools.length === 0 ? [] : [`Tools:\n${JSON.stringify(tools, null, 2)}`]),
    ...(responseSchema === null ? [] : [`Response schema:\n${JSON.stringify(responseSchema, null, 2)}`]),
  ].join('\n\n');
}

/** Returns the path of a prompt's page. Slashes in the name are encoded as %2F. */
export function promptPath(name: string): string {
  return `/prompts/${encodeURIComponent(name)}`;
}

/** Returns the path of the diff of two versions. */
export function promptDiffPath(name: string, from: number, to: number): string {
  return `${promptPath(name)}/diff?from=${from}&to=${to}`;
}

/** Label of the version for production use. Moves are checked against the held-out cases. */
export const PRODUCTION = 'production';

/** Rule for the name of a label. */
export const LABEL_RULE = 'must be 1 to 40 letters, digits, "-", "_" or ".", beginning with a letter or digit';

/** Labels that are always offered. All others are custom. */
export const USUAL_LABELS: readonly string[] = [PRODUCTION, 'staging'];

/**
 * Returns the version of a label before its last move, which a rollback restores (`version` null: no version). Returns null if the label
 * was never moved. `moves` is sorted newest first. A second rollback undoes the first.
 */
export function rollBackTarget(
  moves: readonly { label: string; previous: number | null }[],
  label: string,
): { version: number | null } | null {
  const last = moves.find((move) => move.label === label);
  return last === undefined ? null : { version: last.previous };
}

/** Sorts labels: production first, then staging, then by name. */
export function inLabelOrder<Labelled extends { label: string }>(labels: readonly Labelled[]): Labelled[] {
  const rank = ({ label }: Labelled) => {
    const at = USUAL_LABELS.indexOf(label);
    return at < 0 ? USUAL_LABELS.length : at;
  };
  return labels.toSorted((one, other) => rank(one) - rank(other) || one.label.localeCompare(other.label));
}

/** Maximum number of typed cases in one run. */
export const MAX_TYPED_CASES = 20;
