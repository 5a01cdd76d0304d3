import { parentPort } from 'node:worker_threads';
import { parse, YAMLParseError } from 'yaml';
import type { YamlResult } from './read-yaml.ts';

/** Thread that parses untrusted YAML. Some texts take quadratic time. */
parentPort?.on('message', (text: string) => {
  parentPort?.postMessage('begun');
  parentPort?.postMessage(handleRequest(text));
});

function handleRequest(text: string): YamlResult {
  try {
    // Limits aliases, because a few lines of them can expand to gigabytes.
    return {
      ok: true,
      json: JSON.stringify(parse(text, { maxAliasCount: 100, schema: 'core', merge: true })) ?? 'null',
    };
  } catch (error) {
    const position = error instanceof YAMLParseError ? error.linePos?.[0] : undefined;
    const message = error instanceof Error ? error.message : '';
    return { ok: false, message, line: position?.line ?? null, column: position?.col ?? null };
  }
}
