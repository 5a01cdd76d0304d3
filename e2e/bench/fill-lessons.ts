import type pg from 'pg';

export const LESSONS = 100_000;
const VOCABULARY = 30_000;
const TOGETHER = 2_000;

/** Returns the input of a lesson by number, starting at 0. Only the first 200 characters are stored. */
export function inputOf(lesson: number): string {
  return sentence(lesson * 2 + 1, 28);
}

/** Fills an empty, migrated database with promoted lessons with natural word frequencies (Zipf). Deterministic. */
export async function fillLessons(client: Pick<pg.Client, 'query'>, count: number = LESSONS): Promise<void> {
  for (let from = 0; from < count; from += TOGETHER) {
    const lessons = Array.from({ length: Math.min(TOGETHER, count - from) }, (_, at) => ({
      n: from + at,
      text: sentence((from + at) * 2, 24),
      input: inputOf(from + at).slice(0, 200),
    }));
    await client.query(
      `INSERT INTO lessons (id, kind, status, text, block, task_type, tools, source_input, source_score, created_by, created_at)
       SELECT md5('lesson ' || n)::uuid, 'lesson', 'promoted', l.text, 'reflexion_lessons', 'custom', '{}', l.input, 0.4, 'bench', timestamptz '2026-01-01' + n * interval '1 minute'
       FROM json_to_recordset($1::json) AS l(n int, text text, input text)`,
      [JSON.stringify(lessons)],
    );
  }
  // Same state as after autovacuum.
  await client.query('VACUUM ANALYZE lessons');
}

/** Returns a sequence of words, deterministic for a seed. */
export function sentence(seed: number, words: number): string {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  return Array.from({ length: words }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return wordOf(Math.floor(VOCABULARY ** (state / 2 ** 32)));
  }).join(' ');
}

const SYLLABLES = ['ba', 'do', 'ki', 'lu', 'ma', 'ne', 'po', 'ra', 'si', 'tu', 've', 'zo'];

/** Returns the word of a frequency rank. Rarer words are longer. */
function wordOf(rank: number): string {
  let word = '';
  for (let rest = rank + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length] ?? '';
  return `${word}x`;
}
