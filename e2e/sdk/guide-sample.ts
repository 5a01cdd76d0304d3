import type { DocPath } from '#lib/docs/navigation.ts';
import { readDoc } from '#lib/docs/read-doc.ts';

/** The sample of a guide to an SDK that is a `test` file or connects an app as a `target`. */
export function guideSample(guide: DocPath, kind: 'test' | 'target'): string {
  return new RegExp(`^\`\`\`\\w+ ${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(readDoc(guide).body)?.[1] ?? '';
}
