import type { PromptOptions } from '#lib/core/prompt-options.ts';
import { promptPath } from '#lib/prompts/prompt-path.ts';

export const CODE_LANGUAGES = ['curl', 'typescript', 'python'] as const;
export type CodeLanguage = (typeof CODE_LANGUAGES)[number];

const FIELD_NAMES = ['tools', 'responseSchema'] as const;
const FIELDS = { tools: 'tools', responseSchema: 'response_schema' } as const;

/** A program that fetches the text of a prompt, with the token of `HONE_API_TOKEN` if there is one. `origin`: where Hone is reached; `by`: a label, or the number of a version. Tools and response schema are read too if the version has any. */
export function promptCode(
  language: CodeLanguage,
  {
    origin,
    name,
    by,
    options,
  }: { origin: string; name: string; by: { label: string } | { version: number }; options: PromptOptions },
): string {
  const query = 'label' in by ? `label=${encodeURIComponent(by.label)}` : `version=${by.version}`;
  // The names of prompts and labels hold no quotes: nothing has to be escaped.
  const url = `${origin}/api/v1${promptPath(name)}?${query}`;
  const fields = FIELD_NAMES.filter((field) =>
    field === 'tools' ? options.tools.length > 0 : options.responseSchema !== null,
  );
  switch (language) {
    case 'curl':
      return `curl --fail ${'$'}{HONE_API_TOKEN:+-H "Authorization: Bearer $HONE_API_TOKEN"} '${url}'`;
    case 'typescript':
      return `const token = process.env.HONE_API_TOKEN;
const response = await fetch('${url}', {
  headers: token ? { authorization: \`Bearer \${token}\` } : {},
});
if (!response.ok) throw new Error(await response.text());
const { ${['text', ...fields, 'version'].join(', ')} } = await response.json();
const prompt = text.replaceAll('{{input}}', () => input);`;
    case 'python':
      return `import json
import os
import urllib.request

request = urllib.request.Request('${url}')
if token := os.environ.get('HONE_API_TOKEN'):
    request.add_header('Authorization', f'Bearer {token}')
with urllib.request.urlopen(request) as response:
    found = json.load(response)
prompt = found['text'].replace('{{input}}', task)${fields.map((field) => `\n${FIELDS[field]} = found['${field}']`).join('')}`;
  }
}
