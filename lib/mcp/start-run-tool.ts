import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { currentRateLimits, tooManyRequests } from '#lib/auth/rate-limits.ts';
import { startBatch } from '#lib/batches/start-batch.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { nameSchema } from '#lib/core/setting-parts.ts';
import { caseInputSchema } from '#lib/datasets/case-input.ts';
import { type ExperimentToStart, experimentsNamed, latestExperimentNames } from '#lib/experiments/queries.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { addTool, type ToolCaller } from './add-tool.ts';

/** Maximum number of experiments listed if none has the requested name. */
const MAX_LISTED_EXPERIMENTS = 20;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const inputSchema = z.strictObject({
  experiment: nameSchema.meta({ description: 'The name of an experiment, or its id.' }),
  // Validated by `startBatch`. A tool's schema cannot refer to the messages of the API document.
  input: z
    .union([z.string().min(1), z.array(z.record(z.string(), z.unknown())), z.record(z.string(), z.unknown())], {
      error: 'must be a text, a list of messages, or a JSON object',
    })
    .meta({
      description:
        'Input of the run: a text, a list of messages such as {"role": "user", "content": "Hi"}, or a JSON object.',
    }),
  reference: caseInputSchema.shape.reference.meta({ description: 'Reference answer. Only evaluators see it.' }),
  key: z
    .string()
    .regex(/^[\x20-\x7e]{1,190}$/, { error: 'must be 1 to 190 plain characters' })
    .nullable()
    .default(null)
    .meta({
      description: 'Idempotency key. A repeated call with the same key returns the run that the first call started.',
    }),
});

/** Adds `start_run`, which starts one run of an experiment for one input. The worker performs it. */
export function addStartRun(server: McpServer, asker: ToolCaller): void {
  addTool(server, asker, {
    name: 'start_run',
    title: 'Start a run',
    description:
      'Starts a run of an experiment (draft, score, reflect, try again) on an input and returns its id immediately. The run spends the budget of the experiment on model calls. Call read_run until the run has ended.',
    scope: 'runs:write',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    input: inputSchema,
    use: async ({ context, actor, address }, given) => {
      const parsed = parseInput(inputSchema, given);
      if (!parsed.ok) return parsed;
      const seconds = currentRateLimits().takeOf('start', actor);
      if (seconds !== null) return tooManyRequests(seconds);
      const { input, reference, key } = parsed.value;
      const experiment = await findToStart(context, parsed.value.experiment);
      if (!experiment.ok) return experiment;
      const idempotencyKey = key === null ? null : `mcp:${key}`;
      const started = await startBatch(
        context,
        actor,
        experiment.value.id,
        { input, reference },
        { idempotencyKey, watched: false },
      );
      if (!started.ok) return started;
      const runId = started.value.runIds[0] ?? null;
      return succeed({
        ...{ runId, batchId: started.value.batchId, experiment: experiment.value },
        url: `${address}/runs/${runId}`,
        next: 'The run continues in the background. Call read_run with this runId until its status is finished, failed or stopped. The status waiting means that a person must decide.',
      });
    },
  });
}

/** Finds an experiment by its id or its unique name. */
async function findToStart(
  { database }: AppContext,
  named: string,
): Promise<Result<{ id: string; name: string | null }>> {
  if (UUID.test(named)) return succeed({ id: named.toLowerCase(), name: null });
  const found = await experimentsNamed(database, named);
  const [only] = found;
  if (only !== undefined && found.length === 1) return succeed(only);
  if (only !== undefined) return fail('conflict', severalLabel(named, found), 'experiment');
  const names = await latestExperimentNames(database, MAX_LISTED_EXPERIMENTS);
  const known =
    names.length === 0 ? 'There are none yet.' : `There are: ${names.map((name) => JSON.stringify(name)).join(', ')}.`;
  return fail('not_found', `There is no experiment named ${JSON.stringify(named)}. ${known}`, 'experiment');
}

function severalLabel(named: string, found: ExperimentToStart[]): string {
  return `Several experiments are named ${JSON.stringify(named)}. Use the id instead. The newest: ${found.map(({ id }) => id).join(', ')}.`;
}
