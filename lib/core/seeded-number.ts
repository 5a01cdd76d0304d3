/**
 * A number from 0 (included) to 1 (not) that depends on the texts only and looks like chance: FNV-1a with the final mix of
 * MurmurHash3. Which texts are one and which two makes a difference.
 */
export function seededNumber(...texts: string[]): number {
  let value = 0x811c9dc5;
  for (const text of texts) {
    for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
    value = Math.imul(value ^ 0x10ffff, 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return ((value ^ (value >>> 16)) >>> 0) / 0x1_0000_0000;
}
