import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const VERSION = 'v1';
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts an API key for the database, bound to its provider: the stored key cannot be decrypted for another provider. `secret` is 32
 * bytes. Format: `v1.` followed by the bytes of `encryptText` in base64url.
 */
export function sealKey(secret: Buffer, providerName: string, apiKey: string): string {
  return `${VERSION}.${encryptText(secret, boundTo(providerName), apiKey).toString('base64url')}`;
}

/** Decrypts an encrypted key. Returns null if it was encrypted with another secret or for another provider, or was modified. */
export function unsealKey(secret: Buffer, providerName: string, sealedKey: string): string | null {
  const [version, body, ...rest] = sealedKey.split('.');
  if (version !== VERSION || body === undefined || rest.length > 0) return null;
  return decryptText(secret, boundTo(providerName), Buffer.from(body, 'base64url'));
}

function boundTo(providerName: string): string {
  return `hone provider key ${VERSION} ${providerName}`;
}

/** Encrypts a text with AES-256-GCM, bound to a purpose. Returns nonce, tag and ciphertext. Two different texts need different nonces. */
export function encryptText(secret: Buffer, purpose: string, text: string, nonce = randomBytes(NONCE_BYTES)): Buffer {
  const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(purpose, 'utf8'));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Decrypts bytes of `encryptText`. Null if they were encrypted with another secret or for another purpose, or were modified. */
export function decryptText(secret: Buffer, purpose: string, bytes: Buffer): string | null {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(purpose, 'utf8'))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/** Returns the last four characters of a key to show them. Null if the key is too short to stay secret. */
export function lastFourOf(key: string): string | null {
  return key.length >= 12 ? key.slice(-4) : null;
}
