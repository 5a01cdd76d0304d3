import { joinComponents } from '#lib/core/targets/component-texts.ts';

/** Tools that write a tuned prompt to a file. */
export const TUNED_FORMATS = ['gepa', 'dspy'] as const;
type TunedFormat = (typeof TUNED_FORMATS)[number];

/** A version to import. `name`: its path in the file. `parent`: index of its parent in the list, or null. */
type TunedVersion = { name: string; text: string; message: string; parent: number | null };

/** A parsed file. Versions are in the order they are saved, the best one last. */
export type TunedFile = { format: TunedFormat; versions: TunedVersion[]; notTaken: string[] };

/** The problem of a component line inside one of several components. */
export const NO_COMPONENT_LINE =
  'must not have a line such as {{component "name"}}: it begins a component. Remove the line';

/** Joins the texts of a program. A single text is unchanged, several become components. */
export function textOfProgram(texts: Readonly<Record<string, string>>): string {
  const all = Object.values(texts);
  return all.length === 1 ? (all[0] ?? '') : joinComponents(componentNames(texts));
}

/** Converts names of predictors to component names: `plan.predict` to `plan`, `tools[0]` to `tools_0`. */
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
