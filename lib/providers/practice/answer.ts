import type { TextRole } from '#lib/core/model-request.ts';
import { checkedText, checkItems } from './check-items.ts';
import { checkLesson } from './check-lesson.ts';
import { comparedText, compareTexts } from './compare.ts';
import { critique, critiqueText } from './critique.ts';
import { draft } from './draft.ts';
import { endReflection } from './end-reflection.ts';
import { exactTask } from './exact-task.ts';
import { judge, judgementText } from './judge.ts';
import { lesson } from './lesson.ts';
import { proposePrompt } from './propose-prompt.ts';
import { listItems, readPrompt } from './read-prompt.ts';
import { retrospective } from './retrospective.ts';
import { revise } from './revise.ts';
import { tryPrompt } from './try-prompt.ts';

/** What the practice model answers to a prompt in a role; `asJson` where structured output is asked for. */
export function answer(role: Exclude<TextRole, 'turn'>, prompt: string, asJson: boolean): string {
  const parts = readPrompt(prompt);
  switch (role) {
    case 'try':
      return tryPrompt(parts.get('task') ?? '');
    case 'generate': {
      const task = parts.get('task') ?? '';
      const lessons = [...listItems(parts.get('lessons')), ...listItems(parts.get('recalled_lessons'))];
      return exactTask(task)?.attempt(lessons) ?? draft(task, lessons);
    }
    case 'evaluate':
    case 'judge': {
      if (parts.has('checklist')) {
        const checked = checkItems(parts);
        return asJson ? JSON.stringify(checked, null, 1) : checkedText(checked);
      }
      if (parts.has('first') && parts.has('second')) {
        const compared = compareTexts(parts);
        return asJson ? JSON.stringify(compared, null, 1) : comparedText(compared);
      }
      const judgement = judge(parts);
      return asJson ? JSON.stringify(judgement, null, 1) : judgementText(judgement);
    }
    case 'reflect': {
      if (parts.has('current_prompt')) return proposePrompt(parts);
      const reply = critique(parts);
      return asJson ? JSON.stringify(reply, null, 1) : critiqueText(reply);
    }
    case 'lesson_check':
      return inJson(checkLesson(parts), asJson);
    case 'revise':
      return revise(parts, asJson);
    case 'lesson':
      // An attempt of an agent has a trajectory of its own; a look back on a run asks for a form.
      if (!parts.has('answer_form')) return lesson(parts);
      return inJson(
        parts.get('answer_form')?.includes('"skills"') ? retrospective(parts) : endReflection(parts),
        asJson,
      );
  }
}

/** As asked for by a form: the object alone, or as a block in a text. */
function inJson(reply: object, asJson: boolean): string {
  const json = JSON.stringify(reply, null, 1);
  return asJson ? json : `Looking back on the run:\n\`\`\`json\n${json}\n\`\`\``;
}
