import { describe, expect, test } from 'vitest';
import { askScript, evaluateWith, settingsWith } from '#lib/core/ask.test-support.ts';
import type { EmbedOutcome } from '#lib/core/embedding-request.ts';
import { NO_SPEND } from '#lib/core/token-usage.ts';
import { cosineSimilarity } from './reference.ts';

const SPEND = { tokenUsage: { input: 4, output: 0, total: 4 }, costUsd: 0.5, durationMs: 20 };
const MODEL = { provider: 'practice', model: 'practice-embedding-1' };

/** Returns a fake embedding model with these vectors; `asked` records the texts of each call. */
function embedder(vectors: Record<string, number[]>) {
  const asked: string[][] = [];
  const embed = async (texts: string[]): Promise<EmbedOutcome> => {
    asked.push(texts);
    return { ok: true, vectors: texts.map((text) => vectors[text] ?? [1, 0]), spend: SPEND };
  };
  return { embed, asked };
}

async function evaluated(
  output: string,
  reference: string | null,
  {
    vectors = {},
    extract,
    model = MODEL,
  }: { vectors?: Record<string, number[]>; extract?: string; model?: typeof MODEL | null } = {},
) {
  const { embed, asked } = embedder(vectors);
  const config = { match: 'embedding' as const, ...(extract !== undefined && { extract }) };
  const outcome = await evaluateWith({
    settings: settingsWith([{ name: 'near', evaluator: 'reference', config }], { embeddingModel: model }),
    case: { input: '', reference, tags: [], metadata: {} },
    output,
    ask: askScript([]).ask,
    embed,
  });
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return { ...outcome.evaluation, asked };
}

/** Expected values follow the definition: the dot product divided by the product of the lengths. */
test.each<[string, number[], number[], number]>([
  ['the same direction', [1, 2], [2, 4], 1],
  ['at a right angle', [1, 0], [0, 3], 0],
  ['opposite', [1, 1], [-1, -1], -1],
  ['60 degrees', [1, 0], [0.5, Math.sqrt(3) / 2], 0.5],
  ['(3, 4) and (4, 3): 24 / 25', [3, 4], [4, 3], 0.96],
  ['a zero vector', [0, 0], [1, 1], 0],
])('cosine similarity: %s', (_name, one, other, expected) => {
  expect(cosineSimilarity(one, other)).toBeCloseTo(expected, 12);
});

describe('embedding match', () => {
  test('scores the cosine of output and reference and counts the cost', async () => {
    const made = await evaluated('Unguja', 'Pemba', { vectors: { Unguja: [3, 4], Pemba: [4, 3] } });
    expect(made.asked).toEqual([['Unguja', 'Pemba']]);
    expect(made).toMatchObject({ overallScore: 0.96, feedback: 'partly correct', answer: 'Unguja', ...SPEND });
    expect(made.detail).toBe('Expected "Pemba", got "Unguja". embedding similarity 0.96.');
    expect(made.reasons.near).not.toContain('Pemba');
  });

  test('scores a negative cosine as 0', async () => {
    const made = await evaluated('Unguja', 'Pemba', { vectors: { Unguja: [1, 0], Pemba: [-1, 0.1] } });
    expect(made).toMatchObject({ overallScore: 0, feedback: 'incorrect' });
  });

  test.each<[string, string, string | null, number | null, RegExp]>([
    ['an identical text', ' Pemba\n', 'Pemba', 1, /1 like the reference/],
    ['an empty output', ' ', 'Pemba', 0, /0 like the reference/],
    ['an empty reference', 'Pemba', ' ', null, /reference is empty/],
    ['no reference', 'Pemba', null, null, /no reference/],
    ['a text that is too long', 'x'.repeat(100_001), 'Pemba', null, /too long to be embedded/],
  ])('%s needs no call', async (_name, output, reference, score, reason) => {
    const made = await evaluated(output, reference);
    expect(made.asked).toEqual([]);
    expect(made).toMatchObject({ overallScore: score, costUsd: 0 });
    expect(made.reasons.near).toMatch(reason);
  });

  test('is unscored without an embedding model', async () => {
    const made = await evaluated('Unguja', 'Pemba', { model: null });
    expect(made).toMatchObject({ status: 'partial', reasons: { near: expect.stringMatching(/no embedding model/) } });
  });

  test('compares only the extracted text', async () => {
    expect((await evaluated('So. Finish[Unguja]', 'Pemba', { extract: 'Finish\\[(.*?)\\]' })).asked).toEqual([
      ['Unguja', 'Pemba'],
    ]);
  });

  test('several criteria share one call, next to criteria without embeddings', async () => {
    const { embed, asked } = embedder({});
    const outcome = await evaluateWith({
      settings: settingsWith(
        [
          { name: 'near', evaluator: 'reference', config: { match: 'embedding' } },
          { name: 'same', evaluator: 'reference', config: { match: 'exact' } },
          { name: 'near, lower', evaluator: 'reference', config: { match: 'embedding', normalize: 'lower' } },
        ],
        { embeddingModel: MODEL },
      ),
      case: { input: '', reference: 'Pemba', tags: [], metadata: {} },
      output: 'Unguja',
      ask: askScript([]).ask,
      embed,
    });
    expect(asked).toEqual([['Unguja', 'Pemba', 'unguja', 'pemba']]);
    expect(outcome).toMatchObject({ ok: true, evaluation: { criteriaScores: { near: 1, same: 0, 'near, lower': 1 } } });
  });

  test('an unavailable model fails the evaluation', async () => {
    const failure = { kind: 'unavailable', message: 'down', remedy: 'wait', status: 503, attempts: 4 } as const;
    const outcome = await evaluateWith({
      settings: settingsWith([{ name: 'near', evaluator: 'reference', config: { match: 'embedding' } }], {
        embeddingModel: MODEL,
      }),
      case: { input: '', reference: 'Pemba', tags: [], metadata: {} },
      output: 'Unguja',
      ask: askScript([]).ask,
      embed: async () => ({ ok: false, failure: { ...failure, latencyMs: 0, ...NO_SPEND }, spend: NO_SPEND }),
    });
    expect(outcome).toMatchObject({ ok: false, failure: { kind: 'unavailable' } });
  });
});

test('scores by the most similar of several right answers, with one call', async () => {
  const vectors = { near: [1, 0], far: [0, 1], other: [0.6, 0.8] };
  const made = await evaluated('near', '["far", "other"]', { vectors });
  expect(made).toMatchObject({ overallScore: 0.6, asked: [['near', 'far', 'other']] });
});
