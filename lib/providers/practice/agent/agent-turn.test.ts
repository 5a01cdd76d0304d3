import { describe, expect, test } from 'vitest';
import { calculate as calculateText } from '#lib/calculator/calculate.ts';
import type { AgentMessage, Conversation, ToolDefinition } from '#lib/core/agents/agent-records.ts';
import { quote } from '#lib/core/prompts/quote.ts';
import { createModelCaller } from '#lib/providers/call/create-model-caller.ts';
import { PRACTICE_MODEL, PRACTICE_PROVIDER } from '#lib/providers/provider-configuration.ts';
import { draft } from '../draft.ts';
import { exactTask } from '../exact-task.ts';
import { flawsIn } from '../flaws.ts';
import { taskTerms } from '../task-terms.ts';

type Use = { tool: string; input: Record<string, unknown> };
type Answers = (use: Use) => string | Error;

function tool(name: string, parts: Record<string, object>): ToolDefinition {
  const parameters = { type: 'object', properties: parts, required: Object.keys(parts), additionalProperties: false };
  return { name, description: `The tool ${name}`, parameters };
}

const CALCULATOR = tool('calculator', { expression: { type: 'string' } });
const JAVASCRIPT = tool('javascript', { code: { type: 'string' } });
const LESSON_SEARCH = tool('lesson_search', { query: { type: 'string' } });
const HTTP_GET = tool('http_get', { url: { type: 'string' } });
const ALL = [CALCULATOR, JAVASCRIPT, LESSON_SEARCH, HTTP_GET];

const call = createModelCaller({
  addresses: { allowLoopback: true, allowedPrivateHosts: [] },
  resolveProvider: async () => PRACTICE_PROVIDER,
  practicePaceMs: 0,
});

async function ask(prompt: string, conversation: Conversation, instructions = 'Do the task.') {
  const outcome = await call(
    {
      ...{ role: 'turn', ordinal: 0, model: { provider: 'practice', model: PRACTICE_MODEL }, instructions, prompt },
      ...{ temperature: null, maxOutputTokens: null, output: null, conversation },
    },
    { signal: new AbortController().signal, onText: null },
  );
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.reply;
}

/** Runs the practice model as an agent until it answers; `answers` returns the tool results. */
async function work(
  prompt: string,
  tools: ToolDefinition[],
  answers: Answers,
  { instructions, between }: { instructions?: string; between?: string } = {},
) {
  const messages: AgentMessage[] = [];
  const uses: Use[] = [];
  const thoughts: string[] = [];
  for (let turn = 0; turn < 12; turn++) {
    const response = await ask(prompt, { messages, tools }, instructions);
    if (response.toolCalls === undefined) return { answer: response.text, uses, thoughts };
    expect(response.finishReason).toBe('tool-calls');
    thoughts.push(response.text);
    const calls = response.toolCalls.map((one, index) => ({ ...one, id: `${turn}.${index}` }));
    const results = calls.map((one) => {
      const use = { tool: one.tool, input: JSON.parse(one.arguments) };
      uses.push(use);
      const result = answers(use);
      const isError = result instanceof Error;
      return { id: one.id, tool: one.tool, text: isError ? result.message : result, isError };
    });
    messages.push({ role: 'assistant', text: response.text, calls }, { role: 'tool', results });
    if (turn === 0 && between !== undefined) messages.push({ role: 'user', text: between });
  }
  throw new Error('the agent did not come to an end');
}

const calculate: Answers = ({ input }) => {
  const calculated = calculateText(String(input.expression));
  return calculated.ok ? calculated.text : calculated.problem;
};
const never: Answers = ({ tool: name }) => {
  throw new Error(`${name} should not be used`);
};
const sum = (index: number) =>
  `What is ${5 + index} + ${12 + 3 * index} × ${3 + (index % 7)}? Answer as Finish[number].`;
const SUMS = Array.from({ length: 30 }, (_, index) => sum(index));
const isRight = (task: string, answer: string) => answer.includes(`Finish[${exactTask(task)?.answer}]`);
const SAMPLE = 'Explain our rate limits to a new user';
const flawsOf = (text: string, task = SAMPLE) => flawsIn(text, taskTerms(task)).map(({ flaw }) => flaw.id);

describe('with a calculator', () => {
  test('calls it once for a sum and uses the result', async () => {
    const { answer, uses } = await work(quote('task', sum(0)), [CALCULATOR], () => '4321');
    expect(uses.map(({ tool: name }) => name)).toEqual(['calculator']);
    expect(answer).toMatch(/43[23]1/);
  });

  test('solves some sums at once, and all of them after applying its lessons', async () => {
    let firstRight = 0;
    for (const task of SUMS) {
      const lessons: string[] = [];
      for (let attempt = 0; attempt < 5; attempt++) {
        const prompt = [quote('task', task), ...lessons.map((text) => quote('lessons', `- ${text}`))].join('\n\n');
        const { answer } = await work(prompt, [CALCULATOR], calculate);
        if (isRight(task, answer)) {
          if (attempt === 0) firstRight++;
          break;
        }
        expect(attempt).toBeLessThan(4);
        lessons.push(exactTask(task)?.lesson(answer, lessons.join('\n')) ?? '');
      }
    }
    expect(firstRight).toBeGreaterThan(SUMS.length / 5);
    expect(firstRight).toBeLessThan(SUMS.length);
  });

  test('calculates without the tool if the call fails, and does not retry', async () => {
    const { answer, uses } = await work(quote('task', sum(1)), [CALCULATOR], () => new Error('It is broken.'));
    expect(uses).toHaveLength(1);
    expect(answer).toBe(exactTask(sum(1))?.attempt([]));
  });

  test('counts with code if there is a sandbox', async () => {
    const task = 'How many times does the letter "r" come up in "strawberry"? Answer as Finish[number].';
    const { answer, uses } = await work(quote('task', `${task}`), [CALCULATOR, JAVASCRIPT], ({ input }) =>
      String(String(input.code) === '"strawberry".split("r").length - 1' ? 3 : -1),
    );
    expect(uses.map(({ tool: name }) => name)).toEqual(['javascript']);
    expect(answer).toMatch(/comes? to [23]/);
  });
});

describe('with other tools', () => {
  test('searches lessons first and applies the results', async () => {
    const alone = await work(quote('task', SAMPLE), [CALCULATOR, HTTP_GET], never);
    expect(flawsOf(alone.answer).length).toBeGreaterThan(5);
    const [open] = flawsIn(alone.answer, taskTerms(SAMPLE));
    const { answer, uses, thoughts } = await work(
      quote('task', SAMPLE),
      ALL,
      () => `1. (lesson) Next time, ${open?.flaw.advice}.`,
    );
    expect(uses).toEqual([{ tool: 'lesson_search', input: { query: SAMPLE } }]);
    expect(thoughts[0]).toContain('lessons');
    expect(flawsOf(answer)).not.toContain(open?.flaw.id);
    expect(flawsOf(answer)).toHaveLength(flawsOf(alone.answer).length - 1);
  });

  test('reads the pages named in the task and reports their content', async () => {
    const task = `${SAMPLE}. Read https://docs.example.org/limits first.`;
    const { answer, uses } = await work(
      quote('task', task),
      [HTTP_GET],
      () => 'A user has 60 requests a minute. More…',
    );
    expect(uses).toEqual([{ tool: 'http_get', input: { url: 'https://docs.example.org/limits' } }]);
    expect(answer).toContain('From https://docs.example.org/limits: "A user has 60 requests a minute."');
  });

  test('calls a server tool named in the task with arguments from the task', async () => {
    const weather = tool('station__current_weather', {
      place: { type: 'string' },
      days: { type: 'integer' },
      unit: { enum: ['celsius', 'fahrenheit'] },
    });
    const task = 'Write a note on the current weather for the next 3 days';
    const { answer, uses } = await work(quote('task', task), [weather], () => 'It rains.');
    expect(uses).toEqual([{ tool: 'station__current_weather', input: { place: task, days: 3, unit: 'celsius' } }]);
    expect(answer).toContain('From station__current_weather: "It rains."');
    expect((await work(quote('task', SAMPLE), [weather], never)).uses).toEqual([]);
  });

  test('applies the critique of a check between two turns', async () => {
    const plain = await work(quote('task', SAMPLE), [LESSON_SEARCH], () => 'No lesson was found.');
    const [open] = flawsIn(plain.answer, taskTerms(SAMPLE));
    const between = `A look at your work:\n\n${quote('critique', `- ${open?.flaw.suggestion}`)}`;
    const outcome = await work(quote('task', SAMPLE), [LESSON_SEARCH], () => 'No lesson was found.', { between });
    expect(flawsOf(outcome.answer)).not.toContain(open?.flaw.id);
  });
});

describe('as a supervisor', () => {
  const delegate = tool('delegate', {
    worker: { type: 'string', enum: ['writer', 'reckoner'] },
    task: { type: 'string' },
  });
  const instructions = 'You lead workers:\n- writer: writes texts, with an example\n- reckoner: works out a sum';
  const workers: Answers = ({ input }) => (input.worker === 'writer' ? 'I write.' : 'Finish[41]');

  test('delegates to all workers if none fits better, and returns the answer with the fewest flaws', async () => {
    const better = draft(SAMPLE, ['Give an example and a summary.']);
    expect(flawsOf(better).length).toBeLessThan(flawsOf(draft(SAMPLE, [])).length);
    for (const best of ['writer', 'reckoner']) {
      const answers: Answers = ({ input }) => (input.worker === best ? better : draft(SAMPLE, []));
      const { answer, uses } = await work(quote('task', SAMPLE), [delegate], answers, { instructions });
      expect(uses.map(({ input }) => input.worker)).toEqual(['writer', 'reckoner']);
      expect(uses[0]?.input.task).toBe(`${SAMPLE}\n\nYour part: writes texts, with an example`);
      expect(answer).toBe(better);
    }
  });

  test('selects workers by description and by lessons that name one', async () => {
    const task = 'Work this out: 5 + 12 × 3';
    const chosen = async (prompt: string) =>
      (await work(prompt, [delegate], workers, { instructions })).uses.map(({ input }) => input.worker);
    expect(await chosen(quote('task', task))).toEqual(['reckoner']);
    const lesson = quote('lessons', '- Next time, let the writer put it into words.');
    expect(await chosen(`${quote('task', task)}\n\n${lesson}`)).toEqual(['writer', 'reckoner']);
  });

  test('passes lessons on to a worker', async () => {
    const task = SUMS.find((one) => !isRight(one, exactTask(one)?.attempt([]) ?? '')) ?? '';
    const prompt = `${quote('task', task)}\n\n${quote('lessons', ADVICE.map((text) => `- ${text}`).join('\n'))}`;
    const { uses } = await work(prompt, [delegate], workers, { instructions });
    const given = String(uses.at(-1)?.input.task);
    const { answer } = await work(quote('task', given), [CALCULATOR], calculate);
    expect(isRight(task, answer)).toBe(true);
  });

  test('passes on the advice of a check, but not its praise', async () => {
    const search = tool('lesson_search', { query: { type: 'string' } });
    const between = quote('critique', '- The work goes on as it should.\n- Give one example.');
    const { uses } = await work(quote('task', SAMPLE), [delegate, search], () => 'Nothing.', { instructions, between });
    expect(uses.at(-1)?.input.task).toMatch(/\n\nAdvice:\n- Give one example\.$/);
  });

  test('answers without workers if all of them fail', async () => {
    const { answer, uses } = await work(quote('task', SAMPLE), [delegate], () => new Error('It was cut off.'), {
      instructions,
    });
    expect(uses).toHaveLength(2);
    expect(answer).toContain('rate limits');
  });
});

const ADVICE = [
  'Next time, multiply and divide before adding and subtracting.',
  'Next time, work it out a second time, piece by piece, and compare the two results.',
  'Next time, end with the answer in the form the task asks for, Finish[number], with nothing after it.',
];

test('a turn is deterministic, streamed or not, and counts the tokens of the whole conversation', async () => {
  const conversation: Conversation = { messages: [], tools: ALL };
  const prompt = quote('task', sum(2));
  const once = await ask(prompt, conversation);
  const again = await ask(prompt, conversation);
  expect(again.toolCalls).toEqual(once.toolCalls);
  const pieces: string[] = [];
  const outcome = await call(
    {
      ...{
        role: 'turn',
        ordinal: 0,
        model: { provider: 'practice', model: PRACTICE_MODEL },
        instructions: 'Do the task.',
      },
      ...{ prompt, temperature: null, maxOutputTokens: null, output: null, conversation },
    },
    { signal: new AbortController().signal, onText: (piece) => void pieces.push(piece) },
  );
  expect(pieces.join('')).toBe(once.text);
  expect(outcome).toMatchObject({ ok: true, reply: { toolCalls: once.toolCalls, tokenUsage: once.tokenUsage } });
  expect(once.tokenUsage.input).toBeGreaterThan(JSON.stringify(ALL).length / 5);
  expect(once.costUsd).toBeGreaterThan(0);
});
