// Agent that uses AI SDK tools. Code decides on each tool call that needs approval.
import { tool } from 'ai';
import { createEngine } from 'hone/engine';
import { z } from 'zod';
import { model } from './model.ts';

const ORDERS: Record<string, string> = { 'A-17': 'shipped on Monday', 'B-20': 'waiting for payment' };

const engine = createEngine({
  model,
  tools: {
    order_status: tool({
      description: 'Looks up the status of an order.',
      inputSchema: z.object({ order: z.string().describe('Number of the order, such as A-17') }),
      execute: ({ order }) => ORDERS[order] ?? 'There is no such order.',
    }),
  },
  settings: {
    mode: 'retry',
    generator: {
      instructions: 'You answer questions about orders.',
      base: { type: 'react', tools: ['order_status'], approve: ['order_status'] },
    },
    criteria: [{ name: 'status', validate: (text) => (text.includes('Monday') ? 1 : 0) }],
  },
  onToolCall: (call) => {
    console.log(`${call.tool} ${call.arguments}`);
    return 'allow';
  },
});

const result = await engine.execute(process.argv[2] ?? 'Where is my order A-17?');
for (const { text } of result.history.observations) console.log(`found: ${text}`);
console.log(result.finalOutput);
