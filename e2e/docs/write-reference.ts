import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { referencePages } from './reference-pages.ts';

// `npm run docs`: generates the pages of `docs/reference` from the code.
const folder = path.resolve('docs/reference');
mkdirSync(folder, { recursive: true });
for (const [file, text] of Object.entries(referencePages())) writeFileSync(path.join(folder, file), text);
