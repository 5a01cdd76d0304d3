import type { FileType } from './schema.ts';

const SIGNATURES: readonly { type: FileType; at: number; bytes: readonly number[] }[] = [
  { type: 'image/png', at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', at: 0, bytes: [0x47, 0x49, 0x46, 0x38] },
  { type: 'image/webp', at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
  { type: 'application/pdf', at: 0, bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
];

/** The type of a file by its content; null if it is none that can be stored. Text is UTF-8 without control characters. */
export function sniffMediaType(content: Uint8Array): FileType | null {
  const found = SIGNATURES.find(({ at, bytes }) => bytes.every((byte, place) => content[at + place] === byte));
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

/** A plain loop: a callback for each byte of a large file would hold up all other requests. */
function hasControlCharacter(content: Uint8Array): boolean {
  for (let place = 0; place < content.length; place += 1) {
    const byte = content[place] ?? 0;
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d) return true;
  }
  return false;
}
