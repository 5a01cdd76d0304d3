// A process of its own: the least a loop over the AI SDK can do. No storage, no queue, no checks.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, streamText } from 'ai';
import { generatePrompt } from '#lib/core/prompts/generate-prompt.ts';
import { answerBench, toldOptions } from './bench-child.ts';
import { CALLS_PER_RUN, CONCURRENCY, loopOptionsSchema, MODEL, measured, taskOf, WARM_UP_RUNS } from './loop-task.ts';
import { retrySettings } from './retry-settings.ts';

const { runs, watched, warmUpUrl, measuredUrl } = loopOptionsSchema.parse(toldOptions());
const settings = retrySettings('bare');
let heard = 0;

await performRuns(WARM_UP_RUNS, warmUpUrl);
const figures = await measured(() => performRuns(runs, measuredUrl));
answerBench({ ...figures, writes: null });
process.exitCode = heard < 0 ? 1 : 0;

async function performRuns(count: number, baseURL: string): Promise<void> {
  const model = createOpenAICompatible({ name: 'bare', baseURL, includeUsage: true }).chatModel(MODEL);
  let next = 0;
  const slot = async () => {
    for (let run = next++; run < count; run = next++) {
      const { instructions, prompt } = generatePrompt(
        settings,
        { input: taskOf(run), reference: null, tags: [], metadata: {} },
        [],
      );
      for (let call = 0; call < CALLS_PER_RUN; call++) {
        const question = { model, ...(instructions !== '' && { instructions }), prompt, temperature: 0, maxRetries: 0 };
        if (watched) for await (const piece of streamText(question).textStream) heard += piece.length;
        else heard += (await generateText(question)).text.length;
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, slot));
}
