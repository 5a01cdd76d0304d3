import { expect, test } from 'vitest';
import { type BaseSettings, baseSchema } from '#lib/core/agents/base-settings.ts';
import { usedTools } from '#lib/core/agents/tool-calls.ts';
import { agentBaseLabel } from './run-facts.ts';

const base = (given: unknown): BaseSettings => baseSchema.parse(given);
const worker = (name: string, tools: string[] = []) => ({ name, tools });

test.each([
  { base: base({ type: 'single' }), words: 'one call', tools: [] },
  { base: base({ type: 'react' }), words: 'an agent without tools', tools: [] },
  {
    base: base({ type: 'react', tools: ['calculator', 'wiki__search'] }),
    words: 'an agent with calculator, wiki__search',
    tools: ['calculator', 'wiki__search'],
  },
  {
    base: base({
      type: 'supervisor',
      tools: ['javascript'],
      workers: [worker('planner'), worker('solver', ['calculator', 'javascript'])],
    }),
    words: 'a supervisor of planner, solver',
    tools: ['javascript', 'calculator'],
  },
])('$words', ({ base: given, words, tools }) => {
  expect(agentBaseLabel(given)).toBe(words);
  expect(usedTools(given)).toEqual(tools);
});
