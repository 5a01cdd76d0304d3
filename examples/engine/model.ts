import { createOpenAICompatible } from '@ai-sdk/openai-compatible';

// Any AI SDK model works here, such as openai('gpt-5-mini') from @ai-sdk/openai.
const server = createOpenAICompatible({
  name: 'demo',
  baseURL: process.env.MODEL_URL ?? 'http://127.0.0.1:11434/v1',
  apiKey: process.env.MODEL_KEY ?? '',
});

export const model = server.chatModel(process.env.MODEL ?? 'demo');
