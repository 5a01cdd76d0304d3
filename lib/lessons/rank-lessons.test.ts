import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LessonCandidate, type RecallCriteria, rankLessons } from './rank-lessons.ts';

const NO_STATISTICS = { lessons: 0, shares: new Map<string, number>() };
const WORDS = ['creator', 'wallac', 'gromit', 'anim', 'comedi', 'zoo', 'soundtrack'];

function lesson(id: string, changes: Partial<LessonCandidate> = {}): LessonCandidate {
  return {
    id,
    kind: 'lesson',
    text: id,
    taskType: null,
    tools: [],
    createdAt: 0,
    words: WORDS,
    similarity: null,
    namesApi: false,
    ...changes,
  };
}

function criteria(changes: Partial<RecallCriteria> = {}): RecallCriteria {
  return { words: new Set(WORDS), near: new Map(), taskType: 'reasoning', tools: [], ...changes };
}

function order(
  candidates: LessonCandidate[],
  changes: Partial<RecallCriteria> = {},
  statistics = NO_STATISTICS,
): string[] {
  return rankLessons(candidates, criteria(changes), statistics, similarities(candidates)).map(({ id }) => id);
}

function numbered(word: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${word}${at}`);
}

function similarities(candidates: LessonCandidate[]): number[] {
  return candidates.flatMap(({ similarity }) => similarity ?? []);
}

describe('ranking', () => {
  test.each<{ name: string; candidates: LessonCandidate[]; changes?: Partial<RecallCriteria>; ids: string[] }>([
    { name: 'nothing', candidates: [], ids: [] },
    {
      name: 'the same task type before none, and none before another',
      candidates: [
        lesson('other', { taskType: 'writing' }),
        lesson('any', { words: WORDS.slice(0, 5), createdAt: 1 }),
        lesson('same', { taskType: 'reasoning', words: WORDS.slice(0, 6) }),
      ],
      ids: ['same', 'any', 'other'],
    },
    {
      name: 'relevance only if no task type is given',
      candidates: [
        lesson('part', { words: [...WORDS.slice(0, 4), 'a', 'b', 'c'] }),
        lesson('whole', { taskType: 'writing' }),
      ],
      changes: { taskType: null },
      ids: ['whole', 'part'],
    },
    {
      name: 'available tools, then no tools, then other tools',
      candidates: [
        lesson('others', { tools: ['shell'] }),
        lesson('none'),
        lesson('at hand', { tools: ['shell', 'search'] }),
      ],
      changes: { tools: ['search'] },
      ids: ['at hand', 'none', 'others'],
    },
    {
      name: 'a lesson that matches the input before those that match only by task type and tool',
      candidates: [
        lesson('scope', { taskType: 'reasoning', tools: ['search'], words: ['q'], createdAt: 9 }),
        lesson('relevant', { createdAt: 1 }),
      ],
      changes: { tools: ['search'] },
      ids: ['relevant', 'scope'],
    },
    {
      name: 'without shared words: task type and tool, then task type, then tool or API, each newest first',
      candidates: [
        lesson('api', { words: ['q'], namesApi: true }),
        lesson('tool', { words: ['q'], tools: ['search'], createdAt: 1 }),
        lesson('task', { words: ['q'], taskType: 'reasoning' }),
        lesson('newer task', { words: ['q'], taskType: 'reasoning', createdAt: 1 }),
        lesson('both', { words: ['q'], taskType: 'reasoning', tools: ['search'] }),
        lesson('neither', { words: ['q'], taskType: 'writing', tools: ['shell'], createdAt: 9 }),
      ],
      changes: { tools: ['search'] },
      ids: ['both', 'newer task', 'task', 'tool', 'api'],
    },
    {
      name: 'relevance before recency',
      candidates: [
        lesson('new', { words: [...WORDS.slice(0, 4), 'a', 'b', 'c'], createdAt: 9 }),
        lesson('fits', { createdAt: 1 }),
      ],
      ids: ['fits', 'new'],
    },
    {
      name: 'the newest of equally ranked lessons',
      candidates: [lesson('old', { createdAt: 1 }), lesson('new', { createdAt: 2 })],
      ids: ['new', 'old'],
    },
  ])('$name', ({ candidates, changes, ids }) => {
    expect(order(candidates, changes)).toEqual(ids);
  });

  test('does not depend on the order of the candidates', () => {
    const candidate = fc.record({
      taskType: fc.constantFrom(null, 'reasoning', 'writing'),
      tools: fc.constantFrom<string[][]>([], ['search'], ['shell']),
      createdAt: fc.integer({ min: 0, max: 3 }),
      words: fc.subarray([...WORDS, 'a', 'b', 'c', 'd']),
      similarity: fc.constantFrom(null, 0.2, 0.6, 0.9),
    });
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 12 }), (list) => {
        const candidates = list.map((given, at) => lesson(`l${at}`, given));
        expect(order(candidates.toReversed())).toEqual(order(candidates));
        for (const { score } of rankLessons(candidates, criteria(), NO_STATISTICS)) {
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

describe('irrelevant lessons', () => {
  test.each([
    { name: 'no shared word', words: ['other', 'text'], input: WORDS, left: true },
    { name: 'one shared word of many', words: ['anim', 'x', 'y', 'z', 'q'], input: WORDS, left: true },
    { name: 'half of the words', words: ['anim', 'comedi', 'zoo', 'q', 'r', 's'], input: WORDS, left: false },
    { name: 'one word of a two-word input', words: ['page', 'x', 'y', 'z'], input: ['explain', 'page'], left: true },
    {
      name: 'both words of a two-word input',
      words: ['explain', 'page', 'y', 'z'],
      input: ['explain', 'page'],
      left: false,
    },
    {
      name: 'a short lesson inside a long input',
      words: ['anim', 'comedi', 'zoo'],
      input: [...WORDS, ...'abcdefghij'],
      left: false,
    },
    {
      name: 'a long lesson that shares a part with a long input',
      words: [...numbered('shared', 25), ...numbered('lesson', 200)],
      input: [...numbered('shared', 25), ...numbered('input', 300)],
      left: false,
    },
    {
      name: 'a long lesson that shares next to nothing with a long input',
      words: [...numbered('shared', 6), ...numbered('lesson', 200)],
      input: [...numbered('shared', 6), ...numbered('input', 300)],
      left: true,
    },
  ])('$name', ({ words, input, left }) => {
    expect(order([lesson('l', { words })], { words: new Set(input) })).toEqual(left ? [] : ['l']);
  });

  test('gives little weight to words that most lessons contain', () => {
    const shares = new Map([
      ['question', 0.9],
      ['answer', 0.9],
      ['context', 0.9],
    ]);
    const common = lesson('common', { words: ['question', 'answer', 'context', 'rare1', 'rare2', 'rare3'] });
    const input = { words: new Set(['question', 'answer', 'context', 'x', 'y', 'z']) };
    expect(order([common], input, { lessons: 100_000, shares })).toEqual([]);
    expect(order([common], input)).toEqual(['common']);
  });

  test('drops a lesson that matches less than half as well as the best', () => {
    const weak = lesson('weak', { words: [...WORDS.slice(0, 3), 'a', 'b', 'c', 'd', 'e'] });
    expect(order([weak])).toEqual(['weak']);
    expect(order([weak, lesson('strong')])).toEqual(['strong']);
  });
});

describe('related words', () => {
  const near = new Map([
    ['throttl', [{ words: ['rate', 'limit'], share: 0.6 }]],
    ['crawler', [{ words: ['scraper'], share: 0.6 }]],
  ]);

  test('match if the lesson contains all of them, with a lower weight than the exact word', () => {
    const candidates = [
      lesson('itself', { words: ['throttl', 'crawler'] }),
      lesson('near', { words: ['rate', 'limit', 'scraper'] }),
      lesson('half', { words: ['rate', 'q', 'r'] }),
    ];
    const shared = { words: new Set(['throttl', 'crawler']), near };
    expect(order(candidates, shared)).toEqual(['itself', 'near']);
    expect(order(candidates, { ...shared, near: new Map() })).toEqual(['itself']);
  });

  test('find a lesson by a single word', () => {
    const one = lesson('one', { words: ['scraper', 'a', 'b', 'c', 'd', 'e'] });
    expect(order([one], { words: new Set(['crawler']), near })).toEqual(['one']);
    expect(order([one], { words: new Set(['crawler']) })).toEqual([]);
    expect(order([one], { words: new Set(['scraper']) })).toEqual(['one']);
  });
});

describe('ranking with similarities', () => {
  const far = Array.from({ length: 12 }, (_, at) => lesson(`far${at}`, { words: ['q'], similarity: 0.2 }));

  test('combines both rankings: first in both comes first, with the score 1', () => {
    const both = lesson('both', { similarity: 0.9 });
    const byWords = lesson('by words', { similarity: 0.2, words: [...WORDS.slice(0, 4), 'a', 'b', 'c'] });
    const byMeaning = lesson('by meaning', { similarity: 0.8, words: ['q'] });
    const all = [byWords, byMeaning, both, ...far];
    const ranked = rankLessons(all, criteria(), NO_STATISTICS, similarities(all));
    expect(ranked.map(({ id }) => id)).toEqual(['both', 'by meaning', 'by words']);
    expect(ranked[0]?.score).toBe(1);
  });

  test('ignores a similarity that does not stand out, because some models rate all texts as similar', () => {
    const alike = far.map((one) => ({ ...one, similarity: 0.8 }));
    expect(order([...alike, lesson('a little more', { words: ['q'], similarity: 0.85 })])).toEqual([]);
    expect(order([...alike, lesson('much more', { words: ['q'], similarity: 0.97 })])).toEqual(['much more']);
  });

  test('derives the usual similarity from all compared lessons, not only the nearest', () => {
    const near = Array.from({ length: 12 }, (_, at) => lesson(`near${at}`, { words: ['q'], similarity: 0.6 }));
    expect(order(near)).toEqual([]);
    const compared = [...similarities(near), ...Array.from({ length: 100 }, () => 0.1)];
    expect(rankLessons(near, criteria(), NO_STATISTICS, compared)).toHaveLength(12);
  });

  test('requires a high similarity if there are few lessons to compare', () => {
    expect(order([lesson('near', { words: ['q'], similarity: 0.49 })])).toEqual([]);
    expect(order([lesson('close', { words: ['q'], similarity: 0.51 })])).toEqual(['close']);
  });
});
