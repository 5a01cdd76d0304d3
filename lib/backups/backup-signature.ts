import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** The last file of a backup's archive: it signs the manifest, which has the sums of all the rest. */
export const SIGNATURE_FILE = 'signature.json';

const hex = z.string().regex(/^[0-9a-f]{64}$/);
const signatureSchema = z.strictObject({
  /** Tells one installation's key from another's, and nothing else of it. */
  key: hex,
  /** HMAC-SHA256 of the manifest's bytes. */
  hmac: hex,
});

/** `own`: by the key at hand; `foreign`: by another one; `missing`: by none, as backups of before they were signed. */
export type SignedBy = 'own' | 'foreign' | 'missing';

/** What backups are signed with, of the secret that seals keys. */
export function backupKey(secret: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'hone', 'backups', 32));
}

/** The content of the signature's file. */
export function signManifest(manifest: Uint8Array, key: Buffer): Buffer {
  return Buffer.from(`${JSON.stringify({ key: nameOf(key), hmac: hmacOf(manifest, key) })}\n`);
}

/** By whom a manifest is signed. Throws where the signature is by the key at hand but of something else. `key` null: there is none at hand. */
export function findSigner(manifest: Uint8Array, signature: string | null, key: Buffer | null): SignedBy {
  if (signature === null) return 'missing';
  const read = readSignature(signature);
  if (key === null || read.key !== nameOf(key)) return 'foreign';
  if (!timingSafeEqual(Buffer.from(read.hmac, 'hex'), Buffer.from(hmacOf(manifest, key), 'hex')))
    throw new Error('it was changed after this installation had signed it');
  return 'own';
}

function readSignature(text: string): z.infer<typeof signatureSchema> {
  try {
    return signatureSchema.parse(JSON.parse(text));
  } catch {
    throw new Error('its signature has the wrong format');
  }
}

function nameOf(key: Buffer): string {
  return createHmac('sha256', key).update('hone backup key').digest('hex');
}

function hmacOf(manifest: Uint8Array, key: Buffer): string {
  return createHmac('sha256', key).update('hone backup\n').update(manifest).digest('hex');
}
