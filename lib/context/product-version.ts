import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** Returns the version of Hone from its package.json. */
export function productVersion(project: string): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')))
    .version;
}
