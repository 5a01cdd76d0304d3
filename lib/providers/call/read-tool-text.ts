import type { ToolDefinition } from '#lib/core/agents/agent-records.ts';
import { withoutThinking } from '#lib/core/responses.ts';

/** Parsed text of a model that uses tools in text. `answer` is null if it calls tools or contains only a thought. */
type ToolText = { thought: string; calls: { tool: string; arguments: string }[]; answer: string | null };

/**
 * Parses the lines `Thought:`, `Action:`, `Action Input:` and `Final Answer:`, and the older form of published logs, `Action 1:
 * Search[text]` and `Finish[text]`. The first tool call or answer counts. Observations that the model invented are ignored. A text without
 * such lines is the answer. Never throws. Source: ReAct (Yao et al. 2022).
 */
export function readToolText(reply: string, tools: readonly Pick<ToolDefinition, 'name' | 'parameters'>[]): ToolText {
  const text = withoutThinking(reply);
  const parts = partsOf(text);
  if (parts.length === 0) return { thought: '', calls: [], answer: text.trim() };
  const thoughts: string[] = [text.slice(0, parts[0]?.start ?? 0).trim()];
  const calls: ToolText['calls'] = [];
  let action: string | null = null;
  const close = (given: string | null) => {
    if (action === null) return;
    calls.push(callOf(action, given, tools));
    action = null;
  };
  for (const { kind, text: content, start } of parts) {
    if (kind === 'observation') break;
    switch (kind) {
      case 'thought':
        if (calls.length === 0 && action === null) thoughts.push(content);
        break;
      case 'action': {
        close(null);
        const finished = finishOf(content);
        if (finished !== null && calls.length === 0) return answered(thoughts, finished);
        if (finished === null && !/^(?:none|n\/a|-)?\.?$/i.test(content)) action = content;
        break;
      }
      case 'input':
        if (action !== null && calls.length === 0 && FINISH.test(action)) return answered(thoughts, content);
        close(content);
        break;
      case 'answer':
        if (calls.length === 0 && action === null) return answered(thoughts, afterMarker(text.slice(start)));
        break;
    }
  }
  close(null);
  return { thought: joined(thoughts), calls, answer: null };
}

type Kind = 'thought' | 'action' | 'input' | 'observation' | 'answer';
type Part = { kind: Kind; text: string; start: number };

const MARKER =
  /^[ \t>*#-]*(thought|action input|action|observation|final answer)(?:[ \t]+(?:\d{1,4}|of [\w-]{1,64}))?[ \t]*(?:\*+[ \t]*)?:[ \t]*\**/gim;

const KINDS: Record<string, Kind> = {
  thought: 'thought',
  action: 'action',
  'action input': 'input',
  observation: 'observation',
  'final answer': 'answer',
};

/** Returns the marked parts in order, each up to the next marker. */
function partsOf(text: string): Part[] {
  const marks = [...text.matchAll(MARKER)];
  return marks.flatMap((mark, index) => {
    const kind = KINDS[(mark[1] ?? '').toLowerCase()];
    if (kind === undefined) return [];
    const end = marks[index + 1]?.index ?? text.length;
    return [{ kind, text: text.slice(mark.index + mark[0].length, end).trim(), start: mark.index }];
  });
}

/** Returns the text after the marker up to the end, including all lines. */
function afterMarker(text: string): string {
  return text.replace(/^[^:]*:[ \t]*\**/, '').trim();
}

function answered(thoughts: readonly string[], answer: string): ToolText {
  return { thought: joined(thoughts), calls: [], answer: answer.trim() };
}

function joined(thoughts: readonly string[]): string {
  return thoughts.filter((thought) => thought !== '').join('\n');
}

const FINISH = /^[`"']?(?:finish|final[ _]answer)[`"']?$/i;

/** Returns the answer of `Finish[answer]`, or null for another action. */
function finishOf(action: string): string | null {
  const opening = /^finish[ \t]*\[/i.exec(action);
  if (opening === null) return null;
  return action.slice(opening[0].length, action.endsWith(']') ? -1 : undefined);
}

/** Maximum length of a tool name. Longer text is not a tool name. */
const MAX_NAME_LENGTH = 200;

function callOf(
  action: string,
  input: string | null,
  tools: readonly Pick<ToolDefinition, 'name' | 'parameters'>[],
): ToolText['calls'][number] {
  const bracketed = input === null ? /^([\w.-]{1,128})\s*(?:\[([\s\S]*)\]|\(([\s\S]*)\))\s*$/.exec(action) : null;
  const [firstLine = ''] = action.split('\n');
  const named = (bracketed?.[1] ?? firstLine.slice(0, MAX_NAME_LENGTH)).replace(/^[\s`"'*]+|[\s`"'*.]+$/g, '');
  const tool = toolNamed(named, tools);
  const given = bracketed?.[2] ?? bracketed?.[3] ?? input ?? action.slice(firstLine.length);
  return { tool: tool?.name ?? named, arguments: argumentsOf(withoutFence(given), tool) };
}

function toolNamed<Tool extends { name: string }>(name: string, tools: readonly Tool[]): Tool | undefined {
  return (
    tools.find((tool) => tool.name === name) ??
    tools.find((tool) => tool.name.toLowerCase() === name.toLowerCase().replaceAll(' ', '_'))
  );
}

/** Removes a code fence (```` ```json … ``` ````) around a text. */
function withoutFence(text: string): string {
  const trimmed = text.trim();
  const opening = /^```\w*/.exec(trimmed);
  if (opening === null) return trimmed;
  const end = trimmed.indexOf('```', opening[0].length);
  return trimmed.slice(opening[0].length, end === -1 ? undefined : end).trim();
}

/** If the text is not a JSON object, it becomes the value of the tool's only text property, if there is one. */
function argumentsOf(text: string, tool: Pick<ToolDefinition, 'parameters'> | undefined): string {
  const value = jsonIn(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text;
  const property = tool === undefined ? null : onlyText(tool.parameters);
  if (property === null || text === '') return text;
  return JSON.stringify({ [property]: typeof value === 'string' ? value : text });
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the name of the only required property, or of the only property. */
function onlyText(parameters: Record<string, unknown>): string | null {
  const { properties, required } = parameters;
  if (typeof properties !== 'object' || properties === null) return null;
  const names = Array.isArray(required) && required.length > 0 ? required : Object.keys(properties);
  const [only, ...more] = names;
  if (typeof only !== 'string' || more.length > 0) return null;
  const schema: unknown = Object.entries(properties).find(([name]) => name === only)?.[1];
  const isText = typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'string';
  return isText ? only : null;
}
