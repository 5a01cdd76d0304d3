import { expect, test } from 'vitest';
import { agentLoop } from '#lib/core/agent-loop.test-support.ts';
import { settingsOf } from '#lib/core/history-of.test-support.ts';
import { whatIf } from '#lib/what-if/what-if.ts';
import { withOutputs } from './run-facts.ts';
import { scoresOnly } from './scores-only.ts';

const settings = settingsOf({
  mode: 'retry',
  maxAttempts: 4,
  convergence: null,
  generator: {
    ...{ provider: 'practice', model: 'practice-1' },
    base: { type: 'react', tools: ['search'], maxSteps: 6, stallAfter: 3 },
  },
});

test('what-if gives the same result for an agent run without its texts, including a stalled attempt', async () => {
  let calls = 0;
  const { history, ending } = await agentLoop(settings, {
    says: ({ role, conversation }) => {
      if (role !== 'turn') return 'Look it up first.';
      calls++;
      const isFirst = calls <= 3;
      if (isFirst || conversation?.messages.length === 0)
        return { thought: 'SECRET thought', use: [['search', isFirst ? '{"q":"same"}' : `{"q":"${calls}"}`]] };
      return `answer ${calls}`;
    },
    uses: () => ({ text: 'SECRET result' }),
    score: (_output, version) => version / 10,
  });
  expect(ending.reason).toBe('max_iterations');
  expect(history.versions.map(({ finishReason }) => finishReason)).toEqual(['stalled', 'stop', 'stop', 'stop']);
  const bare = scoresOnly(history);
  expect(JSON.stringify(bare)).not.toContain('SECRET');
  for (const changed of [settings, { ...settings, qualityThreshold: 0.2 }, { ...settings, maxAttempts: 2 }])
    expect(whatIf(withOutputs(bare, history.versions), settings, changed, ending.endedAt)).toEqual(
      whatIf(history, settings, changed, ending.endedAt),
    );
});
