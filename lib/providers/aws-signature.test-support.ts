import { createHash, createHmac } from 'node:crypto';
import type { ScriptedServer } from '#lib/testing/scripted-server.test-support.ts';

/** Returns the signature of a request to Bedrock in us-west-2, computed as documented by AWS (Signature Version 4). */
export function awsSignature(
  method: 'GET' | 'POST',
  sent: ScriptedServer['requests'][number] | undefined,
  secret: string,
): string {
  const headers = sent?.headers ?? {};
  const names = /SignedHeaders=([^,]+)/.exec(String(headers.authorization))?.[1] ?? '';
  const date = String(headers['x-amz-date']);
  const day = date.slice(0, 8);
  const sha = (text: string) => createHash('sha256').update(text).digest('hex');
  const [path = '', query = ''] = (sent?.url ?? '').split('?');
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const body = method === 'GET' ? '' : JSON.stringify(sent?.body);
  const canonical = [method, encoded, query, lines.join(''), names, sha(body)].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', date, `${day}/us-west-2/bedrock/aws4_request`, sha(canonical)].join('\n');
  const key = [day, 'us-west-2', 'bedrock', 'aws4_request'].reduce<Buffer>(
    (made, part) => createHmac('sha256', made).update(part).digest(),
    Buffer.from(`AWS4${secret}`),
  );
  return createHmac('sha256', key).update(toSign).digest('hex');
}
