/**
 * The documentation in reading order: each section is a folder of `docs/`, each page a Markdown file. A test compares it with the files.
 */
export const DOC_SECTIONS = [
  { folder: 'get-started', title: 'Get started', pages: ['install', 'first-run', 'first-experiment', 'reading-a-run'] },
  {
    folder: 'concepts',
    title: 'Concepts',
    pages: ['loop', 'criteria', 'stop-rules', 'decisions', 'lessons', 'tuning', 'agents', 'statistics'],
  },
  {
    folder: 'how-to',
    title: 'How-to guides',
    pages: [
      'connect-a-model',
      'connect-a-local-model',
      'connect-your-app',
      'set-model-settings',
      'set-up-an-experiment',
      'import-cases',
      'run-an-experiment-by-api',
      'use-the-typescript-sdk',
      'use-the-python-sdk',
      'score-with-code',
      'score-with-a-webhook',
      'manage-prompts',
      'use-chat-prompts',
      'tune-a-prompt',
      'compare-experiments',
      'gate-a-pull-request',
      'pause-for-review',
      'use-webhooks',
      'review-blind',
      'curate-lessons',
      'control-cost',
      'run-a-team',
      'import-from-promptfoo',
      'import-prompts',
      'import-from-gepa-or-dspy',
      'import-runs',
      'export-data',
      'find-things',
      'use-the-mcp-server',
      'embed-the-engine',
    ],
  },
  {
    folder: 'reference',
    title: 'Reference',
    pages: [
      'settings',
      'evaluators',
      'stop-reasons',
      'tuning-strategies',
      'decisions',
      'api',
      'events',
      'webhooks',
      'export-formats',
      'environment',
      'keyboard',
    ],
  },
  {
    folder: 'operations',
    title: 'Operations',
    pages: [
      'deployment',
      'installation-settings',
      'scaling',
      'upgrade',
      'backup',
      'security',
      'monitoring',
      'failures',
      'performance',
    ],
  },
  { folder: 'decisions', title: 'Decisions', pages: ['records'] },
] as const;

/** A page by `section/name`, such as `how-to/import-cases`. */
export type DocPath = {
  [Index in keyof typeof DOC_SECTIONS]: (typeof DOC_SECTIONS)[Index] extends {
    folder: infer Folder extends string;
    pages: readonly (infer Name extends string)[];
  }
    ? `${Folder}/${Name}`
    : never;
}[number];

export const DOC_PATHS = DOC_SECTIONS.flatMap(({ folder, pages }) =>
  pages.map((name) => `${folder}/${name}` as DocPath),
);

/** Returns true if a text, such as a URL path, names a page. */
export function isDocPath(text: string): text is DocPath {
  return DOC_PATHS.some((path) => path === text);
}
