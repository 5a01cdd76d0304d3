import { readFileSync } from 'node:fs';
import { type StartedApp, startApp } from '../start-app.ts';
import { type Measure, median } from './measure.ts';

/** The upload limit minus room for the last line. */
const UPLOAD_BYTES = 49_000_000;
const MOST_MB = 300;
const LOOK_MS = 25;

/**
 * Measures the additional memory of a freshly started app that imports 50 MB. Skipped outside Linux, because only Linux reports process
 * memory.
 */
export async function importBench(repeats: number, log: (line: string) => void): Promise<Measure[]> {
  if (process.platform !== 'linux') {
    log('not measured: only Linux tells how much memory a process has');
    return [];
  }
  const measures: Measure[] = [];
  for (const { name, path, type, text } of uploads()) {
    const samples: number[] = [];
    for (let round = 1; round <= repeats; round++) {
      const app = await startApp();
      try {
        samples.push(await growthOf(app, { path, type, text }));
      } finally {
        await app.stop();
      }
    }
    log(`${name}: ${samples.map((sample) => `${sample.toFixed(0)} MB`).join(', ')}`);
    measures.push({
      part: 'import',
      name: `${name}, memory on top`,
      unit: 'MB',
      value: median(samples),
      floor: null,
      ratio: null,
      wanted: { of: 'value', atMost: MOST_MB },
      samples,
    });
  }
  return measures;
}

type Upload = { path: string; type: string; text: string };

function uploads(): (Upload & { name: string })[] {
  return [
    {
      name: '50 MB of cases as JSONL',
      path: '/datasets?name=JSONL',
      type: 'application/jsonl',
      text: filled((at) => `${JSON.stringify({ input: words(at), reference: String(at), tags: ['bench'] })}\n`),
    },
    {
      name: '50 MB of cases as CSV',
      path: '/datasets?name=CSV',
      type: 'text/csv',
      text: `input,reference\n${filled((at) => `"${words(at)}",${at}\n`)}`,
    },
    {
      name: '50 MB of past runs',
      path: '/runs/import?name=Runs',
      type: 'application/jsonl',
      text: filled((at) => {
        const attempt = (at % 4) + 1;
        const id = `case ${Math.floor(at / 4)}`;
        const of = { run: 'bench', case: { id, input: `${id}: what is it?` }, attempt };
        return `${JSON.stringify({ ...of, output: words(at), solved: attempt === 4, model: 'bench' })}\n`;
      }),
    },
  ];
}

function filled(line: (at: number) => string): string {
  const lines: string[] = [];
  for (let bytes = 0, at = 0; bytes < UPLOAD_BYTES; at++) {
    const next = line(at);
    lines.push(next);
    bytes += next.length;
  }
  return lines.join('');
}

function words(at: number): string {
  return Array.from({ length: 200 }, (_, index) => `w${(at * 31 + index * 17) % 9973}`).join(' ');
}

async function growthOf(app: StartedApp, { path, type, text }: Upload): Promise<number> {
  const before = memoryMb(app);
  let most = before;
  const looking = setInterval(() => {
    most = Math.max(most, memoryMb(app));
  }, LOOK_MS);
  try {
    const headers = { 'Content-Type': type };
    const response = await fetch(`${app.address}/api/v1${path}`, { method: 'POST', headers, body: text });
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${await response.text()}`);
  } finally {
    clearInterval(looking);
  }
  return most - before;
}

/** Resident memory of the app process, without its database. */
function memoryMb(app: StartedApp): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${app.processId}/status`, 'utf8'))?.[1];
  return Number(kilobytes ?? 0) / 1024;
}
