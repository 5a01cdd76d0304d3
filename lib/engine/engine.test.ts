import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Answer, completion, status, toolCompletion } from '#lib/testing/scripted-server.test-support.ts';
import { serveScript } from '#lib/testing/serve-script.test-support.ts';
import { createEngine, tunePrompt } from './index.ts';

async function modelOf(...answers: Answer[]) {
  const server = await serveScript(answers);
  const { chatModel } = createOpenAICompatible({ name: 'demo', baseURL: server.baseUrl, apiKey: 'k' });
  return { model: chatModel('writer'), other: chatModel('judge'), requests: server.requests };
}

const byReference = {
  criteria: [{ name: 'label', evaluator: 'reference' as const, config: { match: 'exact' as const } }],
};
const always = { criteria: [{ name: 'any', validate: () => 1 }] };

describe('AI SDK models', () => {
  test('write, judge and reflect in their own roles', async () => {
    const judged = JSON.stringify({
      criteria: [{ name: 'clarity', score: 0.9, reason: '', issues: [], suggestions: [] }],
      confidence: 1,
    });
    const { model, other, requests } = await modelOf(completion('A text.'), completion(judged));
    const engine = createEngine({
      ...{ model, evaluatorModel: other },
      settings: { generator: { instructions: 'Be brief.' }, criteria: [{ name: 'clarity', evaluator: 'llm' }] },
    });
    const result = await engine.execute('Write it.');
    expect(result).toMatchObject({ success: true, finalOutput: 'A text.', tokenUsage: { total: 34 } });
    expect(requests.map(({ body }) => body.model)).toEqual(['writer', 'judge']);
    expect(JSON.stringify(requests[0]?.body)).toContain('Be brief.');
  });

  test('are retried if the server is busy', async () => {
    const { model, requests } = await modelOf(status(429, 'busy', { 'retry-after-ms': '1' }), completion('A text.'));
    expect(await createEngine({ model, settings: always }).execute('Write it.')).toMatchObject({ success: true });
    expect(requests).toHaveLength(2);
  });

  test('refuse an invalid setting and name it', async () => {
    const { model } = await modelOf();
    expect(() => createEngine({ model, settings: { maxIterations: -1 } })).toThrow(/^maxIterations: /);
  });
});

test('scores the output with a Zod schema and includes its message in the critique', async () => {
  const { model, requests } = await modelOf(
    completion('{"title": 3}'),
    completion('{"summary": "", "issues": [], "suggestions": []}'),
    completion('{"title": "Mug"}'),
  );
  const shape = z.object({ title: z.string() });
  const engine = createEngine({ model, settings: { criteria: [{ name: 'shape', schema: shape }], maxIterations: 1 } });
  const { history } = await engine.execute('Write it.');
  expect(history.versions.map(({ evaluation }) => evaluation?.overallScore)).toEqual([0, 1]);
  expect(JSON.stringify(requests[1]?.body)).toContain('expected string, received number');
});

describe('AI SDK tools', () => {
  const settings = {
    ...always,
    mode: 'retry' as const,
    generator: { base: { type: 'react' as const, tools: ['add'] } },
  };
  const add = tool({
    description: 'Adds two numbers.',
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    execute: ({ a, b }) => ({ sum: a + b }),
  });

  test("are offered with their schema and called with the model's arguments", async () => {
    const { model, requests } = await modelOf(
      toolCompletion('', [['add', '{"a": 2, "b": 3}']]),
      completion('It is 5.'),
    );
    const { history, finalOutput } = await createEngine({ model, tools: { add }, settings }).execute('2 + 3?');
    expect(finalOutput).toBe('It is 5.');
    expect(history.observations).toMatchObject([{ status: 'ok', text: '{"sum":5}' }]);
    expect(requests[0]?.body.tools).toMatchObject([
      { function: { name: 'add', description: 'Adds two numbers.', parameters: { required: ['a', 'b'] } } },
    ]);
  });

  test('are not called with invalid arguments', async () => {
    const { model, requests } = await modelOf(toolCompletion('', [['add', '{"a": "two"}']]), completion('I cannot.'));
    const { history } = await createEngine({ model, tools: { add }, settings }).execute('2 + 3?');
    expect(history.observations).toMatchObject([{ status: 'malformed' }]);
    expect(JSON.stringify(requests[1]?.body)).toContain('add was not used');
  });

  test('require an execute function', async () => {
    const { model } = await modelOf();
    const { execute: _, ...without } = add;
    expect(() => createEngine({ model, tools: { add: without }, settings })).toThrow('tools.add: must have "execute"');
  });
});

describe('abort signal', () => {
  test('cancels a call in flight, and the loop rejects with its reason', async () => {
    const controller = new AbortController();
    const { model, requests } = await modelOf(completion('A text.'), () => controller.abort(new Error('enough')));
    const settings = { criteria: [{ name: 'clarity', evaluator: 'llm' as const }] };
    const engine = createEngine({ model, settings });
    await expect(engine.execute('Write it.', { abortSignal: controller.signal })).rejects.toThrow('enough');
    expect(requests).toHaveLength(2);
    expect(engine.getHistory().versions).toMatchObject([{ output: 'A text.' }]);
  });

  test('makes no model call if it is already aborted', async () => {
    const { model, requests } = await modelOf();
    const abortSignal = AbortSignal.abort(new Error('enough'));
    const cases = [{ input: 'a', reference: 'b' }];
    await expect(tunePrompt({ model, prompt: '{{input}}', cases, settings: byReference, abortSignal })).rejects.toThrow(
      'enough',
    );
    await expect(createEngine({ model, settings: always }).execute('Go.', { abortSignal })).rejects.toThrow('enough');
    expect(requests).toEqual([]);
  });
});

test('streams text in chunks with the role of the call', async () => {
  const { model, requests } = await modelOf(completion('A text.'));
  const pieces: [string, string][] = [];
  const onText = (text: string, { role }: { role: string }) => void pieces.push([role, text]);
  await createEngine({ model, onText, settings: always }).execute('Write it.');
  expect(pieces).toEqual([['generate', 'A text.']]);
  expect(requests[0]?.body.stream).toBe(true);
});

test('refuses tuning without cases', async () => {
  const { model } = await modelOf();
  await expect(tunePrompt({ model, prompt: 'Sort: {{input}}', cases: [], settings: byReference })).rejects.toThrow(
    'cases: A tuning run needs at least one case.',
  );
});

test('sends a tuned prompt without a variable as the system message, followed by the case input', async () => {
  const { model, requests } = await modelOf(completion('b'));
  const cases = [{ input: 'a', reference: 'b' }];
  await tunePrompt({ model, prompt: 'Sort the mail.', cases, settings: byReference });
  expect(requests[0]?.body.messages).toEqual([
    { role: 'system', content: 'Sort the mail.' },
    { role: 'user', content: 'a' },
  ]);
});

test('tuning includes recalled lessons for the reflection model', async () => {
  const better = 'It is vague.\n~~~~\nSay b: {{input}}\n~~~~';
  const { model, requests } = await modelOf(completion('no'), completion(better), completion('b'));
  const asked: string[] = [];
  await tunePrompt({
    ...{ model, prompt: 'Sort: {{input}}', cases: [{ input: 'a quokka', reference: 'b' }] },
    recall: ({ input }) => {
      asked.push(input);
      return [{ id: 'l', kind: 'lesson', text: 'Quokkas are b.', score: 1 }];
    },
    settings: { ...byReference, maxIterations: 1 },
  });
  expect(asked[0]).toBe('Sort: {{input}}\na quokka');
  expect(requests.map(({ body }) => JSON.stringify(body).includes('Quokkas are b.'))).toEqual([false, true, false]);
});
