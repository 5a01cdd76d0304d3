// Retries a task after each failed attempt, with a lesson from the earlier attempts.
import { createEngine } from 'hone/engine';
import { model } from './model.ts';

const engine = createEngine({
  model,
  settings: {
    mode: 'retry',
    maxAttempts: 3,
    criteria: [
      {
        name: 'limit',
        validate: (text) => [text.trim().split(/\s+/).length <= 12, 'at most 12 words'] as [boolean, string],
      },
    ],
  },
});

const result = await engine.execute(process.argv[2] ?? 'Explain what a lighthouse is for.');
for (const { text } of result.history.lessons) console.log(`lesson: ${text}`);
console.log(`${result.success ? 'solved' : 'not solved'}: ${result.finalOutput}`);
