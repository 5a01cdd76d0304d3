import { createHmac } from 'node:crypto';

/** The signature that a receiver checks: HMAC-SHA256 of `timestamp.body` by the webhook's secret, in hexadecimal. */
export function signBody(secret: string, timestamp: string, body: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`, 'utf8').digest('hex');
}
