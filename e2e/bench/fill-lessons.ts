import type pg from 'pg';

export const LESSONS = 100_000;
const VOCABULARY = 30_000;
const TOGETHER = 2_000;

/** A lesson of the library, by its number from 0: an input of some words, of which the first 200 characters are stored, and advice. */
export function inputOf(lesson: number): string {
  return sentence(lesson * 2 + 1, 28);
}

/** Fills a migrated, empty database with promoted lessons whose words are as common and as rare as in a language (Zipf). The same at every call. */
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
  // As autovacuum leaves it in time.
  await client.query('VACUUM ANALYZE lessons');
}

/** Words in a row, the same for the same seed. */
export function sentence(seed: number, words: number): string {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  return Array.from({ length: words }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return wordOf(Math.floor(VOCABULARY ** (state / 2 ** 32)));
  }).join(' ');
}

const SYLLABLES = ['ba', 'do', 'ki', 'lu', 'ma', 'ne', 'po', 'ra', 'si', 'tu', 've', 'zo'];

/** The word of a rank: rarer words are longer. */
function wordOf(rank: number): string {
  let word = '';
  for (let rest = rank + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length] ?? '';
  return `${word}x`;
}
