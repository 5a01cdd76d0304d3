import { LESSON_FIELDS, type LessonKind } from '#lib/core/lesson-schema.ts';
import { type ExchangedLesson, hasForm, shortTitle } from './exchanged-lesson.ts';
import { writeFrontMatter } from './front-matter.ts';

/** Section with the text of a lesson without fields. */
export const TEXT_SECTION = 'Lesson';

/** Section labels of the Reflexion protocol, by kind and field. Other sections use the labels of the app. */
export const PROTOCOL_SECTIONS: Partial<Record<LessonKind, Readonly<Record<string, string>>>> = {
  failure: {
    whatHappened: 'What happened?',
    whatWentWrong: 'What went wrong?',
    why: 'Why did it go wrong?',
    whatToDoDifferently: 'What should I do differently?',
    tacticalRule: 'Tactical rule candidate',
  },
  partial: {
    whatHappened: 'What happened?',
    whatWentWrong: 'What went wrong?',
    whatToDoDifferently: 'What should I do differently?',
  },
  decision: {
    what: 'What was the decision?',
    alternatives: 'What alternatives existed?',
    why: 'Why was this option chosen?',
  },
};

/**
 * Formats a lesson as a Markdown file: a front matter with its metadata, a heading, and a section for each field (see `LESSON_FIELDS`),
 * worded as in the Reflexion protocol. `readLessonMarkdown` restores the same lesson.
 */
export function writeLessonMarkdown(lesson: ExchangedLesson): string {
  const { kind, status, agent, taskType, tools, block, sourceInput, sourceScore, createdBy, createdAt, fields, text } =
    lesson;
  const frontMatter = writeFrontMatter([
    ['kind', kind],
    ['status', status],
    ['agent', agent],
    ['taskType', taskType],
    ['tools', tools],
    ['block', block],
    ['sourceInput', sourceInput],
    ['sourceScore', sourceScore],
    ['createdBy', createdBy],
    ['createdAt', createdAt],
  ]);
  const title = [
    createdAt?.slice(0, 10) ?? 'undated',
    inLine(agent ?? 'any agent'),
    shortTitle(lesson).replaceAll('-', ' '),
  ];
  const sections = hasForm(kind)
    ? LESSON_FIELDS[kind].flatMap(({ name, label }) =>
        fields[name] === undefined ? [] : [section(PROTOCOL_SECTIONS[kind]?.[name] ?? label, fields[name])],
      )
    : [section(TEXT_SECTION, text)];
  return `${frontMatter}\n# ${HEADINGS[kind]}: ${title.join(' - ')}\n${sections.join('')}`;
}

/** First word of the heading in each kind's file. */
export const HEADINGS: Record<LessonKind, string> = {
  lesson: 'Lesson',
  failure: 'Reflection',
  partial: 'Reflection',
  success: 'Procedure',
  decision: 'Decision',
  skill_card: 'Skill',
  failure_pattern: 'Failure pattern',
  tool_policy: 'Tool policy',
  episodic_case: 'Case',
  user_preference: 'Preference',
  principle: 'Principle',
  procedure: 'Procedure',
};

/** Escapes lines that would begin a section with a backslash. Lines that are already escaped get one more. */
function section(label: string, text: string): string {
  return `\n## ${label}\n\n${text.replaceAll(/(?<=^|\n)\\*## /g, '\\$&')}\n`;
}

function inLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
