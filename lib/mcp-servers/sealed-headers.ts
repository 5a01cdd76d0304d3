import { z } from 'zod';
import type { AppContext } from '#lib/context/app-context.ts';
import { sealKey, unsealKey } from '#lib/system/sealed-key.ts';
import type { StoredMcpServer } from './stored-mcp-servers.ts';

type Secret = Pick<AppContext, 'secret'>;

/** Headers as they are stored: sealed, with their names, and the last four characters of what is long enough to stay secret. */
export function sealedHeaders(
  { secret }: Secret,
  name: string,
  headers: Record<string, string>,
): Pick<StoredMcpServer, 'sealedHeaders' | 'headerNames'> {
  const entries = Object.entries(headers);
  return {
    sealedHeaders: entries.length === 0 ? null : sealKey(secret, boundTo(name), JSON.stringify(headers)),
    headerNames: entries.map(([header, value]) => ({
      name: header,
      lastFour: value.length >= 12 ? value.slice(-4) : null,
    })),
  };
}

/** Null when they were sealed with another key of the installation. */
export function unsealedHeaders(
  { secret }: Secret,
  server: Pick<StoredMcpServer, 'name' | 'sealedHeaders'>,
): Record<string, string> | null {
  if (server.sealedHeaders === null) return {};
  const opened = unsealKey(secret, boundTo(server.name), server.sealedHeaders);
  return opened === null ? null : z.record(z.string(), z.string()).parse(JSON.parse(opened));
}

/** No provider's name holds a space: the headers of a server never open as a provider's key. */
function boundTo(name: string): string {
  return `mcp server ${name}`;
}
