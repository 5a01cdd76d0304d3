import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent } from '@mastra/core/agent';
import { Hone } from 'hone-sdk';

const models = createOpenAICompatible({ name: 'demo', baseURL: process.env.MODEL_URL ?? 'http://127.0.0.1:8788/v1' });
const agent = new Agent({ id: 'sorter', name: 'Sorter', instructions: '', model: models.chatModel('demo') });

// The code below connects the app to Hone.
const components = { system_prompt: { text: 'Sort the ticket. Answer with one word.' } };
await new Hone().target(
  'mastra',
  async ({ case: { input }, components: texts, signal }) => {
    const instructions = texts.system_prompt ?? '';
    const { text } = await agent.generate(`Ticket: ${input}`, { instructions, abortSignal: signal });
    return { output: text };
  },
  { components },
);
