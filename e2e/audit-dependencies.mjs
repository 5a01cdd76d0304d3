// Queries the registry for known vulnerabilities of all dependencies. Exit codes: 0 none serious, 1 serious, 2 not checked.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { judgeAudit } from './judge-audit.mjs';

const CODES = { clean: 0, vulnerable: 1, unchecked: 2 };
const LIMIT_MS = 60_000;

const args = ['audit', '--json', '--fetch-retries=0', '--fetch-timeout=20000'];
const project = path.resolve(import.meta.dirname, '..');
execFile('npm', args, { cwd: project, timeout: LIMIT_MS, maxBuffer: 64_000_000 }, (_error, printed) => {
  const { state, lines } = judgeAudit(printed);
  for (const line of lines) console.log(line);
  process.exitCode = CODES[state];
});
