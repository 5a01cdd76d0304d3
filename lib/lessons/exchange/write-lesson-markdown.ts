import { LESSON_FIELDS, type LessonKind } from '#lib/core/lesson-schema.ts';
import { type ExchangedLesson, hasForm, shortTitle } from './exchanged-lesson.ts';
import { writeFrontMatter } from './front-matter.ts';

/** The section that holds the text of a lesson without a form. */
export const TEXT_SECTION = 'Lesson';

/** How the Reflexion protocol words the sections of its forms, by kind and field; other sections have the labels of the app. */
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
 * A lesson as a Markdown file: a front matter with what is known of it, a heading, and a section for each field of its form (see
 * `LESSON_FIELDS`), worded as in the Reflexion protocol. `readLessonMarkdown` reads it back as it was.
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

/** The word that the heading of each kind's file begins with. */
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

/** A line of the text that would begin a section has a backslash before it, and one more where it had some. */
function section(label: string, text: string): string {
  return `\n## ${label}\n\n${text.replaceAll(/(?<=^|\n)\\*## /g, '\\$&')}\n`;
}

function inLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
