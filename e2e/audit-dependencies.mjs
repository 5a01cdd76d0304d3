// Asks the registry what is known against the packages of the app and its tools. Exit code: 0 nothing grave, 1 something grave, 2 not asked.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { judgeAudit } from './judge-audit.mjs';

const CODES = { clean: 0, known: 1, unasked: 2 };
const LIMIT_MS = 60_000;

const asked = ['audit', '--json', '--fetch-retries=0', '--fetch-timeout=20000'];
const project = path.resolve(import.meta.dirname, '..');
execFile('npm', asked, { cwd: project, timeout: LIMIT_MS, maxBuffer: 64_000_000 }, (_error, printed) => {
  const { state, told } = judgeAudit(printed);
  for (const line of told) console.log(line);
  process.exitCode = CODES[state];
});
