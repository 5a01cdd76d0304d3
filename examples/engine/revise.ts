// Writes a text, scores it, and revises it based on the critique until it passes.
import { createEngine } from 'hone/engine';
import { z } from 'zod';
import { model } from './model.ts';

const engine = createEngine({
  model,
  settings: {
    generator: { instructions: 'You write product descriptions as JSON with "title" and "text".' },
    criteria: [
      { name: 'clarity', evaluator: 'llm', description: 'A customer understands what the product does.' },
      { name: 'shape', schema: z.object({ title: z.string().max(60), text: z.string() }) },
    ],
    qualityThreshold: 0.9,
    maxIterations: 3,
  },
});

const result = await engine.execute(process.argv[2] ?? 'Describe a mug that keeps coffee warm.');
for (const { iteration, evaluation } of result.history.versions)
  console.log(`version ${iteration}: ${evaluation?.overallScore?.toFixed(2) ?? 'unscored'}`);
console.log(`stopped: ${result.convergenceReason}\n${result.bestOutput}`);
