import type { DocPath } from '#lib/docs/navigation.ts';
import { readDoc } from '#lib/docs/read-doc.ts';

/** Returns the code sample of a guide that is marked `test` (a test file), `target` (connects an app) or `lifespan` (of a server). */
export function guideSample(guide: DocPath, kind: 'test' | 'target' | 'lifespan'): string {
  return new RegExp(`^\`\`\`\\w+ ${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(readDoc(guide).body)?.[1] ?? '';
}
