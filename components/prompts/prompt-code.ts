import { messagesOfPrompt } from '#lib/core/chat/chat-prompt.ts';
import { asksInput } from '#lib/core/chat/chat-request.ts';
import { templateVariables } from '#lib/core/prompts/judge-texts.ts';
import { type PromptBody, promptPath } from '#lib/prompts/prompt.ts';

export const CODE_LANGUAGES = ['curl', 'typescript', 'python'] as const;
export type CodeLanguage = (typeof CODE_LANGUAGES)[number];

type Program = {
  /** Origin of this Hone installation. */
  origin: string;
  name: string;
  by: { label: string } | { version: number };
  /** Version the program is written for. A chat prompt becomes messages. Tools and response schema are included if present. */
  body: PromptBody;
};

/**
 * Returns a program that fetches a prompt and fills in its input. It uses the token in `HONE_API_TOKEN` if set. A comment names the other
 * variables.
 */
export function promptCode(language: CodeLanguage, { origin, name, by, body }: Program): string {
  const query = 'label' in by ? `label=${encodeURIComponent(by.label)}` : `version=${by.version}`;
  // Prompt and label names cannot contain quotes, so no escaping is needed.
  const url = `${origin}/api/v1${promptPath(name)}?${query}`;
  const chat = chatOf(body);
  const options = [
    ...(body.tools.length > 0 ? (['tools'] as const) : []),
    ...(body.responseSchema !== null ? (['responseSchema'] as const) : []),
  ];
  switch (language) {
    case 'curl':
      return `curl --fail ${'$'}{HONE_API_TOKEN:+-H "Authorization: Bearer $HONE_API_TOKEN"} '${url}'`;
    case 'typescript':
      return `const token = process.env.HONE_API_TOKEN;
const response = await fetch('${url}', {
  headers: token ? { authorization: \`Bearer \${token}\` } : {},
});
if (!response.ok) throw new Error(await response.text());
const { ${[chat === null || chat.isText ? 'text' : 'messages', ...options, 'version'].join(', ')} } = await response.json();
${unfilledComment(body, '//')}${chat === null ? `const prompt = ${TYPESCRIPT_FILLED};` : typescriptMessages(chat)}`;
    case 'python':
      return `import json
import os${chat?.isText ? '' : '\nimport re'}
import urllib.request

request = urllib.request.Request('${url}')
if token := os.environ.get('HONE_API_TOKEN'):
    request.add_header('Authorization', f'Bearer {token}')
with urllib.request.urlopen(request) as response:
    found = json.load(response)
${unfilledComment(body, '#')}${chat === null ? `prompt = ${pythonFilled("found['text']")}` : pythonMessages(chat)}${options.map((field) => `\n${PYTHON_NAMES[field]} = found['${field}']`).join('')}`;
  }
}

/** Returns the prompt as JSON, with its tools, response schema and variables. */
export function promptJson(
  name: string,
  { number, text, tools, responseSchema }: { number: number } & PromptBody,
): string {
  const variables = templateVariables(text).flatMap((variable) => (variable.known ? [variable.name] : []));
  return JSON.stringify({ name, version: number, text, tools, responseSchema, variables }, null, 2);
}

/** Returns a comment with the variables that are not filled in. Empty if there are none. */
function unfilledComment({ text }: PromptBody, sign: string): string {
  const others = templateVariables(text).filter(({ name, known }) => known && name !== 'input');
  return others.length === 0 ? '' : `${sign} Not filled in: ${others.map(({ name }) => `{{${name}}}`).join(', ')}.\n`;
}

const TYPESCRIPT_FILLED = String.raw`text.replace(/\{\{\s*input\s*\}\}/g, () => input)`;

function pythonFilled(text: string): string {
  return String.raw`re.sub(r'\{\{\s*input\s*\}\}', lambda _: task, ${text})`;
}

const PYTHON_NAMES = { tools: 'tools', responseSchema: 'response_schema' } as const;

/** Way a chat prompt includes the case: at `{{history}}`, or as an added user message. */
type Chat = { isText: boolean; hasHistory: boolean; addsInput: boolean };

/** Returns how a prompt is sent as messages. Null if it is sent as one text. */
function chatOf({ text }: PromptBody): Chat | null {
  const messages = messagesOfPrompt(text);
  // Like Hone, send a text without variables as the system message.
  if (messages === null)
    return templateVariables(text).some(({ known }) => known)
      ? null
      : { isText: true, hasHistory: false, addsInput: true };
  const hasHistory = messages.some(({ role }) => role === 'history');
  return {
    ...{ isText: false, hasHistory },
    addsInput: !hasHistory && !asksInput(messages) && messages.at(-1)?.role !== 'user',
  };
}

function typescriptMessages({ isText, hasHistory, addsInput }: Chat): string {
  if (isText)
    return `const conversation = [
  { role: 'system', content: text },
  { role: 'user', content: input },
];`;
  const filled = `{ role, content: ${TYPESCRIPT_FILLED} }`;
  const each = hasHistory
    ? `messages.flatMap(({ role, text }) =>
  role === 'history' ? history : [${filled}],
)`
    : `messages.map(({ role, text }) => (${filled}))`;
  return addsInput
    ? `const conversation = [
  ...${each.replaceAll('\n', '\n  ')},
  { role: 'user', content: input },
];`
    : `const conversation = ${each};`;
}

function pythonMessages({ isText, hasHistory, addsInput }: Chat): string {
  if (isText)
    return `conversation = [
    {'role': 'system', 'content': found['text']},
    {'role': 'user', 'content': task},
]`;
  const filled = `{'role': message['role'], 'content': ${pythonFilled("message['text']")}}`;
  const added = addsInput ? "\nconversation.append({'role': 'user', 'content': task})" : '';
  if (!hasHistory) return `conversation = [\n    ${filled}\n    for message in found['messages']\n]${added}`;
  return `conversation = []
for message in found['messages']:
    if message['role'] == 'history':
        conversation += history
    else:
        conversation.append(${filled})`;
}
