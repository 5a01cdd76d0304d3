import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts an API key for the database (AES-256-GCM), bound to its provider: the stored key cannot be decrypted for another provider.
 * `secret` is 32 bytes. Format: `v1.` followed by nonce, tag and ciphertext in base64url.
 */
export function sealKey(secret: Buffer, providerName: string, apiKey: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(boundTo(providerName));
  const sealed = Buffer.concat([cipher.update(apiKey, 'utf8'), cipher.final()]);
  return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
}

/** Decrypts an encrypted key. Returns null if it was encrypted with another secret or for another provider, or was modified. */
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

/** Returns the last four characters of a key to show them. Null if the key is too short to stay secret. */
export function lastFourOf(key: string): string | null {
  return key.length >= 12 ? key.slice(-4) : null;
}
