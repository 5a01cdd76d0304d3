import { createHmac } from 'node:crypto';

/** Returns the signature for the receiver to verify: HMAC-SHA256 of `timestamp.body` with the webhook's secret, in hexadecimal. */
export function signBody(secret: string, timestamp: string, body: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`, 'utf8').digest('hex');
}
