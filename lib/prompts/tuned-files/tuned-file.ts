import { joinComponents } from '#lib/core/targets/component-texts.ts';

/** Tools that write a tuned prompt to a file. */
export const TUNED_FORMATS = ['gepa', 'dspy'] as const;
type TunedFormat = (typeof TUNED_FORMATS)[number];

/** A version to be made of a file. `name`: what it is in the file. `parent`: the place of its parent in the list; null where it has none. */
type TunedVersion = { name: string; text: string; message: string; parent: number | null };

/** What a file holds. The versions stand in the order in which they are saved: the best one last. */
export type TunedFile = { format: TunedFormat; versions: TunedVersion[]; notTaken: string[] };

/** Why a text that would be one of several components is refused. */
export const NO_COMPONENT_LINE =
  'must not have a line such as {{component "name"}}: it begins a component. Remove the line';

/** The texts of a program as one: a single text as it is, several as components. */
export function textOfProgram(texts: Readonly<Record<string, string>>): string {
  const all = Object.values(texts);
  return all.length === 1 ? (all[0] ?? '') : joinComponents(componentNames(texts));
}

/** Names of predictors as components may have them: `plan.predict` is `plan`, `tools[0]` is `tools_0`. */
function componentNames(texts: Readonly<Record<string, string>>): Map<string, string> {
  const named = new Map<string, string>();
  for (const [key, text] of Object.entries(texts)) {
    const plain = key
      .replace(/\.predict$/, '')
      .replaceAll(/[^\w.-]+/g, '_')
      .replace(/_$/, '');
    const wanted = /^[A-Za-z_]/.test(plain) ? plain : `part_${plain}`;
    let name = wanted;
    for (let again = 2; named.has(name); again++) name = `${wanted}_${again}`;
    named.set(name, text);
  }
  return named;
}
