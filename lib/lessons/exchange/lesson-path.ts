import { LESSON_FIELDS, type LessonKind } from '#lib/core/lesson-kinds.ts';
import type { ExchangedLesson } from './exchanged-lesson.ts';

/**
 * Where a lesson's file belongs: `memory/reflections/<agent>/YYYY-MM-DD-<short-title>.md`, archived ones under
 * `memory/reflections/<agent>/archive/<year>/`, by the year they were written in; all in lower case with hyphens, the title of at most five
 * words. Where `taken` has the name already, `-2`, `-3` and so on follow. Lessons for all agents stand in the folder `any`, those without
 * a time are `undated`.
 */
export function lessonPath(lesson: ExchangedLesson, taken: ReadonlySet<string> = new Set()): string {
  const { agent, status, createdAt } = lesson;
  const archive = status === 'archived' ? `archive/${createdAt?.slice(0, 4) ?? 'undated'}/` : '';
  const folder = `memory/reflections/${agent === null ? 'any' : agentFolder(agent)}/${archive}`;
  const name = `${folder}${createdAt?.slice(0, 10) ?? 'undated'}-${shortTitle(lesson)}`;
  for (let number = 1; ; number++) {
    const path = `${name}${number === 1 ? '' : `-${number}`}.md`;
    if (!taken.has(path)) return path;
  }
}

/** Earlier versions kept archived ones under `memory/archive/<year>/<agent>/`. */
const PATH =
  /^(?:.*\/)?memory\/(?:reflections\/([^/]+)\/(?:archive\/(?:\d{4}|undated)\/)?|archive\/(?:\d{4}|undated)\/([^/]+)\/)(?:(\d{4}-\d\d-\d\d)-)?[^/]+\.md$/;

/** What a file's place says where the file itself does not: the agent's folder and the day; null for what it does not say. */
export function readLessonPath(path: string): { agent: string | null; createdAt: string | null } {
  const [, own, earlier, day] = PATH.exec(path.replaceAll('\\', '/')) ?? [];
  const folder = own ?? earlier;
  const time = day === undefined ? null : new Date(`${day}T00:00:00.000Z`);
  return {
    agent: folder === undefined || folder === 'any' ? null : folder,
    createdAt: time === null || Number.isNaN(time.getTime()) ? null : time.toISOString(),
  };
}

/** At most five words of what the lesson is about, in lower case and with hyphens. */
export function shortTitle({ kind, text, fields }: ExchangedLesson): string {
  const words = wordsOf(fields[TITLE_FIELDS[kind] ?? LESSON_FIELDS[kind][0]?.name ?? ''] ?? text);
  const telling = words.filter((word) => !SMALL_WORDS.has(word));
  return (telling.length > 0 ? telling : words).slice(0, 5).join('-') || 'lesson';
}

/** Where not the first field says best what a lesson is about. */
const TITLE_FIELDS: Partial<Record<LessonKind, string>> = { failure: 'whatWentWrong', partial: 'whatWentWrong' };

const SMALL_WORDS = new Set(
  'a an and as at be by for from i in is it my of on or that the this to was were will with'.split(' '),
);

function agentFolder(agent: string): string {
  return wordsOf(agent).slice(0, 8).join('-') || 'agent';
}

function wordsOf(text: string): string[] {
  const plain = text.slice(0, 500).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().normalize('NFC');
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => Array.from(word).slice(0, 20).join(''));
}
