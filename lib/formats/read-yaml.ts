import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseJson } from '#lib/core/json-values.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { threadPool } from '#lib/system/thread-pool.ts';

/** Result of parsing YAML in a thread: its value as JSON, or the error and its position. */
export type YamlResult =
  | { ok: true; json: string }
  | { ok: false; message: string; line: number | null; column: number | null };

const MAX_PARSE_MS = 10_000;

const runYamlWorker = threadPool<string, YamlResult>({
  file: path.join(path.dirname(fileURLToPath(import.meta.url)), 'yaml-worker.ts'),
  most: 1,
  timeoutMs: MAX_PARSE_MS,
  memoryMb: 512,
});

/** Parses a text as JSON or YAML. YAML is parsed in a thread that is terminated after 10 s, JSON directly. */
export async function readYaml(text: string): Promise<Result<unknown>> {
  const value = parseJson(text);
  if (value !== undefined) return succeed(value);
  const outcome = await runYamlWorker(text);
  switch (outcome.type) {
    case 'answered':
      return outcome.answer.ok ? succeed(JSON.parse(outcome.answer.json)) : notYaml(outcome.answer);
    case 'out_of_time':
    case 'out_of_memory':
      return fail(
        'too_large',
        `This takes more than ${MAX_PARSE_MS / 1_000} s or too much memory to read as YAML. Send it as JSON, or in several parts. Nothing was stored.`,
      );
    case 'broken':
      return fail('invalid', `This could not be read as YAML: ${outcome.message.slice(0, 200)}. Nothing was stored.`);
  }
}

function notYaml({ message, line, column }: Extract<YamlResult, { ok: false }>): Result<never> {
  const reason = message
    .split('\n', 1)
    .join('')
    .replace(/ at line .*$/, '')
    .slice(0, 500);
  return fail(
    'invalid',
    `${line === null ? '' : `line ${line}, column ${column}: `}this is neither YAML nor JSON: ${reason}. Nothing was stored.`,
    line === null ? null : `line ${line}`,
  );
}
