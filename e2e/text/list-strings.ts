import { findProse } from './find-prose.ts';
import { findStrings } from './find-strings.ts';
import { lintText } from './lint-text.ts';

// `npm run strings`: lists the texts of the app and the documentation with their files. `npm run strings -- --findings`: lists only style
// violations.
const onlyFindings = process.argv.includes('--findings');
for (const { file, line, text } of [...findStrings(), ...findProse()]) {
  const findings = lintText(text);
  if (onlyFindings && findings.length === 0) continue;
  console.log(`${file}:${line}\t${text}${findings.map((finding) => `\n\t→ ${finding}`).join('')}`);
}
