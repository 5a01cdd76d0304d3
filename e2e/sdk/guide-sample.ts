import type { DocPath } from '#lib/docs/navigation.ts';
import { readDoc } from '#lib/docs/read-doc.ts';

/** The sample of a guide that is a `test` file, connects an app as a `target`, or is the `lifespan` of a server. */
export function guideSample(guide: DocPath, kind: 'test' | 'target' | 'lifespan'): string {
  return new RegExp(`^\`\`\`\\w+ ${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(readDoc(guide).body)?.[1] ?? '';
}
