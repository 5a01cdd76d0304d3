import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readArguments } from '#lib/system/read-arguments.ts';
import { sdkFiles } from './sdk-files.ts';

readArguments('Usage: npm run sdk\n\nWrites the parts of the SDKs that are generated from the API.', { options: {} });
for (const [file, text] of Object.entries(sdkFiles())) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
