import { hash } from 'node:crypto';
import type { ChatFile } from '#lib/core/chat/chat-message.ts';
import { visibleName } from '#lib/core/visible-name.ts';
import { FILE_TYPES, type FileType, MAX_STORED_FILE_BYTES } from './schema.ts';

/** An inline file of a message, and the message part that refers to it. */
export type InlineFile = { part: ChatFile; bytes: Uint8Array };

export function isDataUrl(value: unknown): value is string {
  return typeof value === 'string' && /^data:/i.test(value);
}

/** Decodes a data URL within the limits of uploads. A problem is the end of a sentence. The type is detected from the content. */
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
  if (bytes.byteLength > MAX_STORED_FILE_BYTES)
    return { ok: false, message: 'is a file larger than 10 MB. Make it smaller' };
  const mediaType = sniffMediaType(bytes);
  if (mediaType === null)
    return {
      ok: false,
      message: `is a file of an unsupported type. Supported: ${FILE_TYPES.join(', ')}. Convert it first`,
    };
  const safeName = name === null ? '' : visibleName(name).trim().slice(0, 200).toWellFormed();
  const part = {
    type: 'file' as const,
    file: hash('sha256', bytes),
    mediaType,
    ...(safeName !== '' && { name: safeName }),
  };
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

const SIGNATURES: readonly { type: FileType; at: number; bytes: readonly number[] }[] = [
  { type: 'image/png', at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', at: 0, bytes: [0x47, 0x49, 0x46, 0x38] },
  { type: 'image/webp', at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
  { type: 'application/pdf', at: 0, bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
];

/** Detects the type of a file from its content. Null if that type cannot be stored. Text is UTF-8 without control characters. */
export function sniffMediaType(content: Uint8Array): FileType | null {
  const found = SIGNATURES.find(({ at, bytes }) => bytes.every((byte, index) => content[at + index] === byte));
  if (found !== undefined) return found.type;
  return isText(content) ? 'text/plain' : null;
}

function isText(content: Uint8Array): boolean {
  if (hasControlCharacter(content)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
}

/** A plain loop, because a callback per byte of a large file would block other requests. */
function hasControlCharacter(content: Uint8Array): boolean {
  for (let index = 0; index < content.length; index += 1) {
    const byte = content[index] ?? 0;
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d) return true;
  }
  return false;
}
