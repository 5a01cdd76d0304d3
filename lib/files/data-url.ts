import { hash } from 'node:crypto';
import type { ChatFile } from '#lib/core/chat/chat-message.ts';
import { visibleName } from '#lib/core/text-values.ts';
import { FILE_TYPES, LARGEST_FILE } from './schema.ts';
import { sniffMediaType } from './sniff-media-type.ts';

/** An inline file of a message, and the message part that refers to it. */
export type InlineFile = { part: ChatFile; bytes: Uint8Array };

export function isDataUrl(value: unknown): value is string {
  return typeof value === 'string' && /^data:/i.test(value);
}

/** Decodes a data URL, with the limits of uploads. A problem is the end of a sentence. The type is detected from the content. */
export function readDataUrl(
  url: string,
  name: string | null,
): { ok: true; file: InlineFile } | { ok: false; message: string } {
  const comma = url.indexOf(',');
  if (comma < 0) return { ok: false, message: 'is a data URL without a comma before its content' };
  const content = url.slice(comma + 1);
  const bytes = /;\s*base64$/i.test(url.slice(0, comma)) ? fromBase64(content) : fromText(content);
  if (bytes === null) return { ok: false, message: 'is a data URL whose content cannot be decoded' };
  if (bytes.byteLength === 0) return { ok: false, message: 'is a data URL without content' };
  if (bytes.byteLength > LARGEST_FILE) return { ok: false, message: 'is a file larger than 10 MB. Make it smaller' };
  const mediaType = sniffMediaType(bytes);
  if (mediaType === null)
    return {
      ok: false,
      message: `is a file of an unsupported type. Supported: ${FILE_TYPES.join(', ')}. Convert it first`,
    };
  const kept = name === null ? '' : visibleName(name).trim().slice(0, 200).toWellFormed();
  const part = { type: 'file' as const, file: hash('sha256', bytes), mediaType, ...(kept !== '' && { name: kept }) };
  return { ok: true, file: { part, bytes } };
}

/** Validates first, because Buffer.from skips invalid characters. */
function fromBase64(text: string): Uint8Array | null {
  const packed = text.replaceAll(/\s/g, '');
  return /^[\w+/-]*={0,2}$/.test(packed) ? Buffer.from(packed, 'base64') : null;
}

function fromText(text: string): Uint8Array | null {
  try {
    return new TextEncoder().encode(decodeURIComponent(text));
  } catch {
    return null;
  }
}
