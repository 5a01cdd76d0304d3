import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals an API key for the database (AES-256-GCM), bound to the provider it belongs to: a sealed key put beside another
 * provider does not open. `secret` is 32 bytes. Form: `v1.` and nonce, tag and cipher text in base64url.
 */
export function sealKey(secret: Buffer, providerName: string, apiKey: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(boundTo(providerName));
  const sealed = Buffer.concat([cipher.update(apiKey, 'utf8'), cipher.final()]);
  return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
}

/** Opens a sealed key; null when it was sealed with another secret or for another provider, or was changed. */
export function unsealKey(secret: Buffer, providerName: string, sealedKey: string): string | null {
  const [version, body, ...rest] = sealedKey.split('.');
  if (version !== VERSION || body === undefined || rest.length > 0) return null;
  const bytes = Buffer.from(body, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(boundTo(providerName))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function boundTo(providerName: string): Buffer {
  return Buffer.from(`hone provider key ${VERSION} ${providerName}`, 'utf8');
}
