import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Ids } from './row.ts';
import { type HttpResponse, type Sent, send } from './send.ts';
import { fillPath } from './staged-ids.ts';

/** Server action in the build: its id and the pages that use it, as `app/runs/[id]/page`. */
export type BuiltAction = { id: string; exported: string; file: string; pages: string[] };

const manifestSchema = z.object({
  node: z.record(
    z.string(),
    z.object({ workers: z.record(z.string(), z.unknown()), filename: z.string(), exportedName: z.string() }),
  ),
});

/** Returns the server actions of the build in `project`. Anyone who knows the id of an action can call it, regardless of page access. */
export function builtActions(project: string): BuiltAction[] {
  const file = path.join(project, '.next/server/server-reference-manifest.json');
  const { node } = manifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  return Object.entries(node).map(([id, { workers, filename, exportedName }]) => ({
    id,
    exported: exportedName,
    file: filename,
    pages: Object.keys(workers),
  }));
}

/** Calls an action like a page of Hone does. FormData arguments use the browser's encoding. */
export function callAction(
  address: string,
  action: BuiltAction,
  { args, ids, headers }: { args: unknown[]; ids: Ids; headers: Record<string, string> },
): Promise<HttpResponse> {
  const head = {
    ...headers,
    accept: 'text/x-component',
    origin: address,
    'sec-fetch-site': 'same-origin',
    'next-action': action.id,
  };
  return send(address, { method: 'POST', path: pageOf(action, ids), ...encoded(args, head) });
}

/** Returns a page that uses the action, preferably one without an id in its path. */
function pageOf(action: BuiltAction, ids: Ids): string {
  const [page] = action.pages.toSorted((one, other) => one.split('[').length - other.split('[').length);
  if (page === undefined) throw new Error(`no page uses ${action.exported}`);
  const parts = page.split('/').slice(1, -1);
  const segments = parts.filter((part) => !part.startsWith('(')).map((part) => part.replace(/^\[(.*)\]$/, '{$1}'));
  return fillPath(`/${segments.join('/')}`, ids);
}

function encoded(args: unknown[], headers: Record<string, string>): Pick<Sent, 'headers' | 'body'> {
  if (!args.some((argument) => argument instanceof FormData))
    return { headers: { ...headers, 'content-type': 'text/plain;charset=UTF-8' }, body: JSON.stringify(args) };
  const boundary = '----honeMatrix';
  const fields: [string, string][] = [];
  const shown = args.map((argument, at) => {
    if (!(argument instanceof FormData)) return argument;
    const part = (at + 1).toString(16);
    for (const [name, value] of argument) fields.push([`${part}_${name}`, String(value)]);
    return `$K${part}`;
  });
  const parts = [...fields, ['0', JSON.stringify(shown)]].map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: `${parts.join('')}--${boundary}--\r\n`,
  };
}
