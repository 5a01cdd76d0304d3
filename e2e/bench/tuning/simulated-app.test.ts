import { describe, expect, test } from 'vitest';
import { LANDSCAPES, landscapeNamed } from './landscapes.ts';
import { readReflectionRequest, type SimulatedApp, simulatedApp } from './simulated-app.ts';
import { tuneInProcess } from './tune-in-process.ts';

/** Returns the default prompt of gepa 0.1.4, truncated after the examples. */
function promptOfGepa(text: string, feedback: string[]): string {
  const examples = feedback.map((one, at) => `# Example ${at + 1}\n## Inputs\nTicket\n\n## Feedback\n${one}`);
  return `I provided an assistant with the following instructions to perform a task for me:\n\`\`\`\n${text}\n\`\`\`\n\nThe following are examples:\n\`\`\`\n${examples.join('\n\n')}\n\`\`\``;
}

function promptOfHone(text: string, feedback: string[]): string {
  const lines = feedback.map((one) => JSON.stringify({ input: 'Ticket', score: 0.5, feedback: one }));
  return `The prompt:\n\n<current_prompt-k3>\n${text}\n</current_prompt-k3>\n\n<tried_cases-k3>\n${lines.join('\n')}\n</tried_cases-k3>`;
}

function textOf(app: SimulatedApp, component = 'answer'): string {
  return app.start[component] ?? '';
}

describe.each(LANDSCAPES)('$name', (landscape) => {
  test('the optimum scores the maximum of the range and the start scores less', () => {
    for (const seed of [0, 1, 2]) {
      const app = simulatedApp(landscape, seed);
      expect(app.heldOutScore(app.optimum)).toBeCloseTo(landscape.range[1], 9);
      expect(app.heldOutScore(app.start)).toBeLessThan(landscape.range[1] - 0.01);
    }
  });

  test('scores have the configured noise around the true score', () => {
    const app = simulatedApp(landscape, 3);
    const heldOut = app.tickets.filter(({ split }) => split === 'held_out');
    const scores = heldOut.flatMap(({ id }) =>
      Array.from({ length: 20 }, (_score, repeat) => app.handle(app.optimum, id, repeat).score - landscape.range[1]),
    );
    const within = scores.filter((by) => Math.abs(by) <= landscape.noise).length / scores.length;
    if (landscape.noise === 0) expect(new Set(scores)).toEqual(new Set([0]));
    else expect(within).toBeCloseTo(0.683, 1);
  });
});

test('requests of Hone and gepa with the same failures are equivalent for the reflection model', () => {
  const app = simulatedApp(landscapeNamed('two-components'), 0);
  const ids = app.tickets.slice(0, 3).map(({ id }) => id);
  const feedback = ids.map((id) => app.handle(app.start, id, 0).feedback);
  const text = textOf(app, 'label');
  const own = readReflectionRequest(app, promptOfHone(text, feedback));
  const theirs = readReflectionRequest(app, promptOfGepa(text, feedback));
  expect(own.asked).toEqual(theirs.asked);
  expect(own.asked.component).toBe('label');
  expect(own.asked.failed.length).toBeGreaterThan(0);
  expect(own.answerWith('new')).toMatch(/\n~~~~\nnew\n~~~~$/);
  expect(theirs.answerWith('new')).toBe('```\nnew\n```');
});

test('the reflection model returns a different text per repeat, deterministic for the repeat number', () => {
  const app = simulatedApp(landscapeNamed('single'), 0);
  const asked = { component: 'answer', text: textOf(app), failed: [], improved: [] };
  const texts = [0, 1, 2, 0].map((repeat) => app.propose(asked, repeat));
  expect(new Set(texts).size).toBe(3);
  expect(texts[3]).toBe(texts[0]);
});

test('Hone tunes the simulated app within its metric call budget, deterministically', async () => {
  const app = simulatedApp(landscapeNamed('single'), 0);
  const [one, other] = [await tuneInProcess(app), await tuneInProcess(app)];
  const best = one.history.versions.find(({ number }) => number === one.ending.bestVersion);
  expect(app.heldOutScore({ answer: best?.output ?? '' })).toBeGreaterThan(app.heldOutScore(app.start));
  const heldOut = new Set(app.tickets.filter(({ split }) => split === 'held_out').map(({ id }) => id));
  const metricCalls = one.history.tries.filter(({ position }) => !heldOut.has(position)).length;
  expect(metricCalls).toBeLessThanOrEqual(app.landscape.metricCalls);
  expect(other.history.versions).toEqual(one.history.versions);
});

test('rewording does not change the true score', async () => {
  const app = simulatedApp(landscapeNamed('nil-0.1'), 0);
  const { history } = await tuneInProcess(app);
  expect(history.versions.length).toBeGreaterThan(1);
  for (const { output } of history.versions)
    expect(app.heldOutScore({ answer: output })).toBe(app.heldOutScore(app.start));
});
