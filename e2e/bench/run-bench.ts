import { writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { generateClient } from '#lib/server/generate-client.mjs';
import { readArguments, refuseArguments } from '#lib/system/read-arguments.ts';
import { isMet, type Measure } from './measure.ts';
import { showTable } from './show-table.ts';
import type { NilFigures } from './tuning/nil-bench.ts';
import type { TuningFigures } from './tuning/tuning-bench.ts';
import { WEIGHT } from './weigh-pages.ts';

const PARTS = [
  'loop',
  'pages',
  'screen',
  'recall',
  'import',
  'followers',
  'slots',
  'batches',
  'scale',
  'tuning',
  'nil-tuning',
  'tuning-page',
] as const;

const USAGE = `Usage: npm run bench -- [options]

Measures the speed of runs and pages. docs/operations/performance.md explains the figures and the options of tuning.
  --only <part>       ${PARTS.join(', ')}
  --repeats <number>  measurements of each figure (default 5)
  --runs <number>     stored runs, for scale (default 100000)
  --data <folder>     data directory that is changed, for slots and scale (default: a temporary one)
  --out <file.json>   where all figures are written (default: a temporary file)
  --seeds, --landscapes, --times, --through, --tune, --gepa    for tuning
  --trials <number>   runs per landscape, for nil-tuning (default 500)`;

const { values } = readArguments(USAGE, {
  options: {
    only: { type: 'string' },
    repeats: { type: 'string' },
    runs: { type: 'string' },
    data: { type: 'string' },
    seeds: { type: 'string' },
    landscapes: { type: 'string' },
    times: { type: 'string' },
    trials: { type: 'string' },
    through: { type: 'string' },
    tune: { type: 'string' },
    gepa: { type: 'string' },
    out: { type: 'string' },
  },
});
const changesSchema = z
  .string()
  .default('{}')
  .transform((text) => JSON.parse(text))
  .pipe(z.record(z.string(), z.unknown()));
const read = z
  .object({
    only: z.enum(PARTS, { error: `--only must be one of ${PARTS.join(', ')}` }).optional(),
    /** For `scale`. Runs only if selected with `--only`, because filling takes long. */
    runs: z.coerce.number().int().min(5_000).max(1_000_000).default(100_000),
    repeats: z.coerce.number().int().min(1).max(50).default(5),
    /**
     * For `slots` and `scale`: a data directory, which is modified. `scale` fills it if it does not exist. Without it, a temporary one is
     * filled.
     */
    data: z.string().optional(),
    /** For `tuning`. Runs only if selected with `--only`, because it needs Python. Compares all landscapes by default. */
    seeds: z.coerce.number().int().min(1).max(1_000).default(30),
    landscapes: z
      .string()
      .transform((names) => names.split(','))
      .default([]),
    times: z.enum(['yes', 'no']).default('yes'),
    through: z.enum(['api', 'loop']).default('api'),
    /** For both: overrides of the `tune` settings and of the arguments of `gepa.optimize`. */
    tune: changesSchema,
    gepa: changesSchema,
    /** For `nil-tuning`. Also runs only if selected with `--only`. */
    trials: z.coerce.number().int().min(1).max(10_000).default(500),
    out: z.string().default(path.join(tmpdir(), `hone-bench-${Date.now()}.json`)),
  })
  .safeParse(values);
if (!read.success) refuseArguments(z.prettifyError(read.error), USAGE);
const flags = read.data;
const wants = (part: (typeof PARTS)[number]) => flags.only === undefined || flags.only === part;
const log = (line: string) => console.log(`  ${line}`);

await generateClient();
const startedAt = new Date().toISOString();
const loadBefore = loadavg()[0];
const measures: Measure[] = [];
let tuning: TuningFigures | null = null;
let nilTuning: NilFigures[] | null = null;
if (wants('loop')) {
  console.log('The whole app against a bare loop');
  const { loopBench } = await import('./loop-bench.ts');
  measures.push(...(await loopBench(flags.repeats, log)));
}
if (wants('pages') || wants('screen')) {
  console.log('Pages over a large database');
  const { pagesBench } = await import('./pages-bench.ts');
  measures.push(...(await pagesBench({ pages: wants('pages'), screen: wants('screen'), repeats: flags.repeats }, log)));
}
if (wants('recall')) {
  console.log('Recall from a large library');
  const { recallBench } = await import('./recall-bench.ts');
  measures.push(...(await recallBench(flags.repeats, log)));
}
if (wants('import')) {
  console.log('Large imports');
  const { importBench } = await import('./import-bench.ts');
  measures.push(...(await importBench(flags.repeats, log)));
}
if (wants('followers')) {
  console.log('People who follow live runs');
  const { followersBench } = await import('./followers-bench.ts');
  measures.push(...(await followersBench(flags.repeats, log)));
}
if (wants('slots')) {
  console.log('What a run costs the database, by slots');
  const { slotsBench } = await import('./slots-bench.ts');
  measures.push(...(await slotsBench({ dataFolder: flags.data ?? null, repeats: flags.repeats }, log)));
}
if (wants('batches')) {
  console.log('What a run costs, by the size of its batch and the number of processes');
  const { batchesBench } = await import('./batches-bench.ts');
  measures.push(...(await batchesBench(flags.repeats, log)));
}
if (flags.only === 'scale') {
  console.log('Pages over a very large database');
  const { scaleBench } = await import('./pages-bench.ts');
  measures.push(
    ...(await scaleBench({ runs: flags.runs, repeats: flags.repeats, dataFolder: flags.data ?? null }, log)),
  );
}
if (flags.only === 'tuning') {
  console.log('Tuning against the gepa package');
  const { tuningBench, showTuning } = await import('./tuning/tuning-bench.ts');
  const { landscapes, seeds, through, tune, gepa } = flags;
  tuning = await tuningBench({ landscapes, seeds, through, tune, gepa, times: flags.times === 'yes' }, log);
  console.log(`\n${showTuning(tuning)}`);
}
if (flags.only === 'nil-tuning') {
  console.log('Tuning with proposals that reword');
  const { nilBench, showNil } = await import('./tuning/nil-bench.ts');
  nilTuning = await nilBench(flags, log);
  console.log(`\n${showNil(nilTuning)}`);
}
if (flags.only === 'tuning-page') {
  console.log('The page of a long tuning run');
  const { tuningPageBench } = await import('./tuning-page-bench.ts');
  measures.push(...(await tuningPageBench(flags.repeats, log)));
}

const machine = {
  cores: availableParallelism(),
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
};
const result = {
  startedAt,
  machine,
  loadBefore,
  repeats: flags.repeats,
  measures,
  ...(tuning !== null && { tuning }),
  ...(nilTuning !== null && { nilTuning }),
};
writeFileSync(flags.out, `${JSON.stringify(result, null, 2)}\n`);
if (measures.length > 0) console.log(`\n${showTable(measures)}\n`);
console.log(
  `${machine.cores} cores, Node ${machine.node}, median of ${flags.repeats}; load when it began: ${loadBefore?.toFixed(1)}`,
);
console.log(`All figures: ${flags.out}`);
const missed = measures.filter((measure) => isMet(measure) === false);
if (missed.length > 0) console.log(`${missed.length} missed`);
if (missed.some(({ part }) => part === WEIGHT)) process.exitCode = 1;
