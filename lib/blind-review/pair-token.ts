import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { AppContext } from '#lib/context/app-context.ts';
import type { BlindPair } from './blind-pairs.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const DIGITS = 6;

/** The experiment and person that a pair is shown to. A token is only valid for both. */
type ShownTo = { experimentId: string; actorId: string };

/** Returns the seed for a person's pairs and their sides. It cannot be derived without the installation's secret. */
export function pairSeed({ secret }: Pick<AppContext, 'secret'>, shownTo: ShownTo): string {
  return createHmac('sha256', secret)
    .update(`seed ${boundTo(shownTo)}`)
    .digest('base64url');
}

/**
 * Returns an opaque token for a pair, encrypted with AES-256-GCM. It has a fixed length and is the same for the same pair, so that a page
 * can recognize it. The nonce is derived from the content and repeats only with it.
 */
export function sealPair({ secret }: Pick<AppContext, 'secret'>, shownTo: ShownTo, pair: BlindPair): string {
  const right = pair.left === pair.first ? pair.second : pair.first;
  const text = pair.runId + [pair.left, right].map((number) => String(number).padStart(DIGITS, '0')).join('');
  const bound = boundTo(shownTo);
  const nonce = createHmac('sha256', secret).update(`${bound} ${text}`).digest().subarray(0, NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(Buffer.from(bound, 'utf8'));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Decrypts the pair of a token. Null if the token is forged, modified, or was issued to someone else. */
export function openPair({ secret }: Pick<AppContext, 'secret'>, shownTo: ShownTo, token: string): BlindPair | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(boundTo(shownTo), 'utf8'))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    return readPair(text.toString('utf8'));
  } catch {
    return null;
  }
}

function readPair(text: string): BlindPair | null {
  const [, runId, left, right] = /^([0-9a-f-]{36})(\d{6})(\d{6})$/.exec(text) ?? [];
  if (runId === undefined || left === undefined || right === undefined) return null;
  const versions = [Number(left), Number(right)];
  return { runId, first: Math.min(...versions), second: Math.max(...versions), left: Number(left) };
}

function boundTo({ experimentId, actorId }: ShownTo): string {
  return `hone blind pair v1 ${experimentId} ${actorId}`;
}
