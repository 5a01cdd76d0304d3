import { readArguments } from '#lib/system/read-arguments.ts';
import { findProse } from './find-prose.ts';
import { findStrings } from './find-strings.ts';
import { lintText } from './lint-text.ts';

const USAGE = `Usage: npm run strings -- [--findings]

Lists the texts of the app and the documentation with their files.
  --findings   list only the texts that break a rule of style`;

const onlyFindings = readArguments(USAGE, { options: { findings: { type: 'boolean' } } }).values.findings === true;
for (const { file, line, text } of [...findStrings(), ...findProse()]) {
  const findings = lintText(text);
  if (onlyFindings && findings.length === 0) continue;
  console.log(`${file}:${line}\t${text}${findings.map((finding) => `\n\t→ ${finding}`).join('')}`);
}
