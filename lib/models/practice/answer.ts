import type { ModelRole } from '#lib/reflection/settings.ts';
import { checkedText, checkItems } from './check-items.ts';
import { comparedText, compareTexts } from './compare.ts';
import { critique, critiqueText } from './critique.ts';
import { draft } from './draft.ts';
import { exactTask } from './exact-task.ts';
import { judge, judgementText } from './judge.ts';
import { lesson } from './lesson.ts';
import { listItems, readPrompt } from './read-prompt.ts';
import { revise } from './revise.ts';

/** What the practice model answers to a prompt in a role; `asJson` where structured output is asked for. */
export function answer(role: ModelRole, prompt: string, asJson: boolean): string {
  const parts = readPrompt(prompt);
  switch (role) {
    case 'generate': {
      const task = parts.get('task') ?? '';
      const lessons = listItems(parts.get('lessons'));
      return exactTask(task)?.attempt(lessons) ?? draft(task, lessons);
    }
    case 'evaluate': {
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
      const reply = critique(parts);
      return asJson ? JSON.stringify(reply, null, 1) : critiqueText(reply);
    }
    case 'revise':
      return revise(parts, asJson);
    case 'lesson':
      return lesson(parts);
  }
}
