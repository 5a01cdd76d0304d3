import type { ChatPart } from '#lib/core/chat/chat-message.ts';
import { OTHER_ROLES } from './case-input.ts';
import { isRecord, textOf } from './case-mapping.ts';

/** Why messages cannot be read, with their place. Follows the name of the field. */
export type UnreadableMessages = { path: string; message: string };

/**
 * Messages as other tools write them (OpenAI, Langfuse), as the messages of a case. Roles and parts that Hone names otherwise are
 * translated, and unknown fields are left out. What is no message stays as it is, for the schema to name. Images that are no stored files
 * are a problem: Hone does not fetch addresses.
 */
export function readMessages(
  list: readonly unknown[],
): { ok: true; messages: unknown[] } | ({ ok: false } & UnreadableMessages) {
  const messages: unknown[] = [];
  for (const [place, given] of list.entries()) {
    if (!isRecord(given)) {
      messages.push(given);
      continue;
    }
    const content = contentOf(given.content);
    if (!content.ok) return { ok: false, path: `${place}.content.${content.at}`, message: content.message };
    const role = OTHER_ROLES[String(given.role)] ?? given.role;
    const calls = callsOf(given.toolCalls ?? given.tool_calls);
    const tool = given.tool ?? (role === 'tool' ? given.name : undefined);
    const toolCallId = given.toolCallId ?? given.tool_call_id;
    messages.push({
      role,
      content: content.value,
      ...(calls !== undefined && { toolCalls: calls }),
      ...(typeof tool === 'string' && { tool }),
      ...(typeof toolCallId === 'string' && { toolCallId }),
    });
  }
  return { ok: true, messages };
}

const IMAGES = new Set(['image_url', 'input_image', 'image', 'input_file', 'input_audio']);

function contentOf(content: unknown): { ok: true; value: unknown } | { ok: false; at: number; message: string } {
  if (content === null || content === undefined) return { ok: true, value: '' };
  if (!Array.isArray(content)) return { ok: true, value: content };
  const parts: unknown[] = [];
  for (const [at, part] of content.entries()) {
    if (isRecord(part) && IMAGES.has(String(part.type)))
      return {
        ok: false,
        at,
        message: `is ${String(part.type)}, which an import does not take. Upload the image with POST /api/v1/files and write {"type": "file", "file": "ID", "mediaType": "image/png"}`,
      };
    parts.push(isRecord(part) && TEXTS.has(String(part.type)) ? textPart(part) : part);
  }
  return { ok: true, value: parts };
}

const TEXTS = new Set(['text', 'input_text', 'output_text']);

function textPart({ text }: Record<string, unknown>): ChatPart {
  return { type: 'text', text: textOf(text) };
}

function callsOf(given: unknown): unknown[] | undefined {
  if (!Array.isArray(given) || given.length === 0) return undefined;
  return given.map((call, place) => {
    if (!isRecord(call) || !isRecord(call.function)) return call;
    return {
      id: textOf(call.id) || String(place),
      tool: textOf(call.function.name),
      arguments: textOf(call.function.arguments),
    };
  });
}
