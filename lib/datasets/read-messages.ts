import type { ChatPart } from '#lib/core/chat/chat-message.ts';
import { type InlineFile, isDataUrl, readDataUrl } from '#lib/files/data-url.ts';
import { OTHER_ROLES } from './case-input.ts';
import { isRecord, textOf } from './case-mapping.ts';

/** Why messages cannot be read, with their place. Follows the name of the field. */
export type UnreadableMessages = { path: string; message: string };

/**
 * Converts messages of other tools (OpenAI, Langfuse) to messages of a case. Roles and parts that Hone names otherwise are
 * translated, and unknown fields are left out. Values that are not messages are unchanged, so that the schema reports them. Images and files that are data
 * URLs become references to stored files, and are returned in `files`. Other URLs are refused, because Hone does not fetch them.
 */
export function readMessages(
  list: readonly unknown[],
): { ok: true; messages: unknown[]; files: InlineFile[] } | ({ ok: false } & UnreadableMessages) {
  const messages: unknown[] = [];
  const files: InlineFile[] = [];
  for (const [place, given] of list.entries()) {
    if (!isRecord(given)) {
      messages.push(given);
      continue;
    }
    const content = contentOf(given.content);
    if (!content.ok) return { ok: false, path: `${place}.content.${content.at}`, message: content.message };
    files.push(...content.files);
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
  return { ok: true, messages, files };
}

/** Types of image and file parts of OpenAI, the AI SDK and Anthropic. */
const FILES = new Set(['image_url', 'input_image', 'image', 'input_file', 'document', 'input_audio']);

type Content = { ok: true; value: unknown; files: InlineFile[] } | { ok: false; at: number; message: string };

function contentOf(content: unknown): Content {
  if (content === null || content === undefined) return { ok: true, value: '', files: [] };
  if (!Array.isArray(content)) return { ok: true, value: content, files: [] };
  const parts: unknown[] = [];
  const files: InlineFile[] = [];
  for (const [at, part] of content.entries()) {
    const url = isRecord(part) ? urlOf(part) : null;
    if (isRecord(part) && url !== null) {
      const read = readDataUrl(url, nameOf(part));
      if (!read.ok) return { ok: false, at, message: read.message };
      files.push(read.file);
      parts.push(read.file.part);
    } else if (isRecord(part) && FILES.has(String(part.type)))
      return {
        ok: false,
        at,
        message:
          part.type === 'input_audio'
            ? 'is input_audio. Hone cannot store audio'
            : `is ${String(part.type)} without a data URL. Hone does not fetch addresses. Write the file as a base64 data URL, or upload it with POST /api/v1/files and write {"type": "file", "file": "ID", "mediaType": "image/png"}`,
      };
    else parts.push(isRecord(part) && TEXTS.has(String(part.type)) ? textPart(part) : part);
  }
  return { ok: true, value: parts, files };
}

/** The data URL of a part that is an image or a file; null if it has none. */
function urlOf(part: Record<string, unknown>): string | null {
  if (!FILES.has(String(part.type)) && part.type !== 'file') return null;
  const { image_url: image, source, file } = part;
  if (isRecord(source) && source.type === 'base64') return `data:;base64,${textOf(source.data)}`;
  const given = [
    isRecord(image) ? image.url : image,
    ...[part.image, part.data, part.url, part.file_data],
    isRecord(file) ? file.file_data : undefined,
    isRecord(source) ? source.url : undefined,
  ];
  return given.find(isDataUrl) ?? null;
}

function nameOf(part: Record<string, unknown>): string | null {
  const name = part.filename ?? part.name ?? (isRecord(part.file) ? part.file.filename : undefined);
  return typeof name === 'string' ? name : null;
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
      // Some servers write empty arguments as an empty string.
      arguments: textOf(call.function.arguments) || '{}',
    };
  });
}
