// Runs the reflection loop without the app. In a project with the hone package: node own-model.ts "your task". In this repository: node
// --conditions=hone-source examples/engine/own-model.ts "your task". Requires an OpenAI-compatible server: OPENAI_BASE_URL (such as
// http://127.0.0.1:11434/v1), OPENAI_API_KEY and MODEL.
import { createEngine, evaluateAlone } from 'hone/engine';

const base = process.env.OPENAI_BASE_URL ?? 'https://api.openai.com/v1';
const model = process.env.MODEL ?? 'gpt-4.1-mini';

const engine = createEngine({
  settings: {
    generator: { provider: 'mine', model, instructions: 'You write short, plain help texts.' },
    criteria: [
      { name: 'clarity', evaluator: 'llm' },
      {
        name: 'length',
        validate: (text) => [text.length <= 600, 'at most 600 characters'] as [passed: boolean, message: string],
      },
    ],
    maxIterations: 3,
  },
  ask: async ({ instructions, prompt }) => {
    const response = await fetch(`${base}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${process.env.OPENAI_API_KEY ?? ''}` },
      body: JSON.stringify({
        model,
        messages: [
          { role: 'system', content: instructions },
          { role: 'user', content: prompt },
        ],
      }),
    });
    if (!response.ok) throw new Error(`the model server answered ${response.status}`);
    const answer = await response.json();
    return answer.choices[0].message.content;
  },
  evaluate: evaluateAlone,
});

const result = await engine.execute(process.argv[2] ?? 'Explain how to reset a password.');
for (const { iteration, evaluation } of result.history.versions)
  console.log(`version ${iteration}: ${evaluation?.overallScore?.toFixed(2) ?? 'unscored'}`);
console.log(`stopped: ${result.convergenceReason}\n\n${result.bestOutput}`);
