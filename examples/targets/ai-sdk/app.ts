import { createServer } from 'node:http';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText } from 'ai';

const models = createOpenAICompatible({ name: 'demo', baseURL: process.env.MODEL_URL ?? 'http://127.0.0.1:8788/v1' });

// Streaming endpoint that Hone calls. This file contains no Hone code.
createServer(async (request, response) => {
  let body = '';
  for await (const piece of request) body += piece;
  const { case: task, components } = JSON.parse(body);
  const result = streamText({
    model: models.chatModel('demo'),
    system: components.system_prompt,
    prompt: `Ticket: ${task.input}`,
  });
  result.pipeUIMessageStreamToResponse(response);
}).listen(Number(process.env.PORT ?? 8789), '127.0.0.1', () => console.log('The app is ready.'));
