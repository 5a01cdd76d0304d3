import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** Of Hone, as its package.json says. */
export function productVersion(project: string): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')))
    .version;
}
