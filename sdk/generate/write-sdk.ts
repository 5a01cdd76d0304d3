import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sdkFiles } from './sdk-files.ts';

// `npm run sdk`: writes the parts of the SDKs that are generated from the API.
for (const [file, text] of Object.entries(sdkFiles())) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
