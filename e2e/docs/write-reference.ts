import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readArguments } from '#lib/system/read-arguments.ts';
import { referencePages } from './reference-pages.ts';

readArguments('Usage: npm run docs\n\nWrites the pages of docs/reference and the generated parts of the SDKs.', {
  options: {},
});
const folder = path.resolve('docs/reference');
mkdirSync(folder, { recursive: true });
for (const [file, text] of Object.entries(referencePages())) writeFileSync(path.join(folder, file), text);
await import('../../sdk/generate/write-sdk.ts');
