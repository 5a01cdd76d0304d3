/** A message of a chat prompt, with its variables. `history` is the position of the messages of the case. */
export type PromptMessage = { role: PromptRole; text: string } | { role: 'history' };

export const PROMPT_ROLES = ['system', 'user', 'assistant'] as const;
export type PromptRole = (typeof PROMPT_ROLES)[number];

type ChatPromptProblem = { message: string; remedy: string };

/** Source: the syntax of Dotprompt, which names the assistant `model`. */
const ROLE_LINE = /^\s*\{\{\s*role\s+(?:"([^"{}]*)"|'([^'{}]*)')\s*\}\}\s*$/;
const HISTORY_LINE = /^\s*\{\{\s*history\s*\}\}\s*$/;

/**
 * Parses the messages of a chat prompt, a text in which lines such as `{{role "system"}}` start messages. Returns null if there is no such
 * line, so the text is a plain prompt. Text before the first role line and after `{{history}}` is a user message.
 */
export function messagesOfPrompt(text: string): PromptMessage[] | null {
  const sections = sectionsOf(text);
  if (sections === null) return null;
  return sections.flatMap((section): PromptMessage[] => {
    if (section.role === 'history') return [{ role: 'history' }];
    return section.text === '' ? [] : [{ role: section.role, text: section.text }];
  });
}

/** Formats messages as a chat prompt. `messagesOfPrompt` parses them from it, except empty ones and white space around texts. */
export function promptOfMessages(messages: readonly PromptMessage[]): string {
  return messages
    .map((message) =>
      message.role === 'history' ? '{{history}}' : `{{role "${message.role}"}}\n${message.text.trim()}`,
    )
    .join('\n\n');
}

/** Returns the problems of the role lines of a prompt. Empty for a plain prompt. */
export function chatPromptProblems(text: string): ChatPromptProblem[] {
  const problems: ChatPromptProblem[] = [];
  for (const line of text.split('\n')) {
    const name = roleNamed(line);
    if (name !== null && readRole(name) === null)
      problems.push({
        message: `unknown role "${name.slice(0, 40)}"`,
        remedy: `Use ${PROMPT_ROLES.join(', ')}.`,
      });
  }
  const sections = sectionsOf(text);
  if (sections === null) return problems;
  const messages = sections.filter((section) => section.role !== 'history');
  const empty = messages.find((section) => section.text === '' && section.isMarked);
  if (empty !== undefined)
    problems.push({
      message: `${empty.role === 'user' ? 'a' : 'the'} ${empty.role} message is empty`,
      remedy: 'Write its text below the role line, or remove the line.',
    });
  const systemAt = sections.findLastIndex(({ role }) => role === 'system');
  if (sections.slice(0, Math.max(0, systemAt)).some(({ role }) => role !== 'system'))
    problems.push({
      message: 'a system message comes after another message',
      remedy: 'Move it to the beginning of the prompt.',
    });
  if (sections.length - messages.length > 1)
    problems.push({
      message: '{{history}} is used more than once',
      remedy: 'Keep one line. The messages of the case go there.',
    });
  return problems;
}

/** Returns the first problem of a prompt as the end of a sentence, or null. */
export function chatPromptProblem(text: string): string | null {
  const [first] = chatPromptProblems(text);
  return first === undefined ? null : `must be a valid chat prompt: ${first.message}. ${first.remedy}`;
}

/** Returns the text of a prompt without role and history lines, which are not variables. */
export function withoutRoleLines(text: string): string {
  if (sectionsOf(text) === null) return text;
  return text
    .split('\n')
    .filter((line) => !isRoleLine(line) && !HISTORY_LINE.test(line))
    .join('\n');
}

type Section = { role: PromptRole; text: string; isMarked: boolean } | { role: 'history' };

/** Splits a prompt into sections, including empty ones with a role line (`isMarked`). Returns null if no line names a role. */
function sectionsOf(text: string): Section[] | null {
  const lines = text.split('\n');
  if (!lines.some(isRoleLine)) return null;
  const sections: Section[] = [];
  let open = { role: 'user' as PromptRole, lines: [] as string[], isMarked: false };
  const close = () => {
    const text = open.lines.join('\n').trim();
    if (text !== '' || open.isMarked) sections.push({ role: open.role, text, isMarked: open.isMarked });
  };
  for (const line of lines) {
    const role = readRole(roleNamed(line));
    const isHistory = HISTORY_LINE.test(line);
    if (role === null && !isHistory) {
      open.lines.push(line);
      continue;
    }
    close();
    if (isHistory) sections.push({ role: 'history' });
    open = { role: role ?? 'user', lines: [], isMarked: role !== null };
  }
  close();
  return sections;
}

function isRoleLine(line: string): boolean {
  return readRole(roleNamed(line)) !== null;
}

function roleNamed(line: string): string | null {
  const found = ROLE_LINE.exec(line);
  return found === null ? null : (found[1] ?? found[2] ?? '');
}

function readRole(name: string | null): PromptRole | null {
  if (name === 'model') return 'assistant';
  return PROMPT_ROLES.find((role) => role === name) ?? null;
}
