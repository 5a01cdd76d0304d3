// Runs as a separate process: a minimal loop over the AI SDK, without storage, queue or checks.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText } from 'ai';
import { readOptions, sendResult } from './bench-child.ts';
import { bareOptionsSchema, type CannedModel, taskOf, WORKLOADS } from './loop-task.ts';

const { workload, runs, atOnce, warmUpUrl, measuredUrl } = bareOptionsSchema.parse(readOptions());
const JUDGED =
  'Score the draft from 0 to 1 by its criteria, name what is wrong with it, and answer with one JSON object.';

await performRuns(50, warmUpUrl);
const cpuBefore = process.cpuUsage();
const startedMs = performance.now();
await performRuns(runs, measuredUrl);
const elapsedMs = performance.now() - startedMs;
const { user, system } = process.cpuUsage(cpuBefore);
sendResult({ elapsedMs, cpuMs: (user + system) / 1000 });

async function performRuns(count: number, baseURL: string): Promise<void> {
  const provider = createOpenAICompatible({ name: 'bare', baseURL });
  const ask = async (model: CannedModel, prompt: string) =>
    (await generateText({ model: provider.chatModel(model), prompt, temperature: 0, maxRetries: 0 })).text;
  let next = 0;
  const slot = async () => {
    for (let run = next++; run < count; run = next++) {
      let draft = '';
      let critique = '';
      for (const model of WORKLOADS[workload].calls) {
        const prompt = [taskOf(run), draft, model === 'writer' ? critique : JUDGED].join('\n\n');
        const text = await ask(model, prompt);
        if (model === 'writer') draft = text;
        else critique = text;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, slot));
}
