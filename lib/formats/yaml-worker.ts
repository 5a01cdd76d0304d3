import { parentPort } from 'node:worker_threads';
import { parse, YAMLParseError } from 'yaml';
import type { YamlAnswer } from './read-yaml.ts';

/** The thread that strangers' YAML is parsed in: some texts take time by the square of their length. */
parentPort?.on('message', (text: string) => {
  parentPort?.postMessage('begun');
  parentPort?.postMessage(answer(text));
});

function answer(text: string): YamlAnswer {
  try {
    // A hundred aliases at most: a few lines of them can stand for gigabytes.
    return { ok: true, json: JSON.stringify(parse(text, { maxAliasCount: 100, schema: 'core' })) ?? 'null' };
  } catch (error) {
    const place = error instanceof YAMLParseError ? error.linePos?.[0] : undefined;
    const message = error instanceof Error ? error.message : '';
    return { ok: false, message, line: place?.line ?? null, column: place?.col ?? null };
  }
}
