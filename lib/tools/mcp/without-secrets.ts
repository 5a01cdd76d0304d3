import { redactSecrets } from '#lib/providers/call/redact-secrets.ts';
import type { McpTarget } from './mcp-target.ts';

/** Parts of a header shorter than this are words, and stay. */
const SHORTEST = 6;

/** What came of a server with the values of its headers blotted out in every text: it may send back what it was sent. */
export function withoutSecrets<Value>(target: McpTarget, value: Value): Value;
export function withoutSecrets(target: McpTarget, value: unknown): unknown {
  const secrets = target.kind === 'http' ? Object.values(target.headers).flatMap(partsOf) : [];
  return blotted(
    value,
    [...new Set(secrets)].toSorted((one, other) => other.length - one.length),
  );
}

/** The whole value, and what stands behind a word such as Bearer. */
function partsOf(value: string): string[] {
  return [value, ...value.split(/[\s,;=]+/)].filter((part) => part.length >= SHORTEST);
}

function blotted(value: unknown, secrets: string[]): unknown {
  if (typeof value === 'string') return secrets.reduce((text, secret) => redactSecrets(text, secret), value);
  if (Array.isArray(value)) return value.map((one: unknown) => blotted(one, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [String(blotted(key, secrets)), blotted(member, secrets)]),
  );
}
