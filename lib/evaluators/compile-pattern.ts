import { RE2JS, RE2JSException } from 're2js';

/** Maximum program size. Matching is linear in the text, but larger programs would take seconds on long texts. */
const MAX_PROGRAM_SIZE = 1_000;

type CompiledPattern = { ok: true; pattern: RE2JS } | { ok: false; problem: string };

/** Cache of recent patterns, because a run uses the same ones for every version. */
const known = new Map<string, CompiledPattern>();
const MAX_CACHED_PATTERNS = 200;

/** Compiles a pattern in RE2 syntax, or returns the problem. Flags: `i` ignore case, `m` multi-line, `s` dot matches line breaks. */
export function compilePattern(pattern: string, flags = ''): CompiledPattern {
  const key = JSON.stringify([flags, pattern]);
  const compiled = known.get(key) ?? compile(pattern, flags);
  known.delete(key);
  known.set(key, compiled);
  for (const oldest of known.keys()) {
    if (known.size <= MAX_CACHED_PATTERNS) break;
    known.delete(oldest);
  }
  return compiled;
}

function compile(pattern: string, flags: string): CompiledPattern {
  const unknown = flags.replace(/[ims]/g, '');
  if (unknown !== '')
    return { ok: false, problem: `has the unknown flag ${JSON.stringify(unknown)} (flags are i, m and s)` };
  try {
    const compiled = RE2JS.compile(
      pattern,
      (flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
        (flags.includes('m') ? RE2JS.MULTILINE : 0) |
        (flags.includes('s') ? RE2JS.DOTALL : 0),
    );
    const size = compiled.programSize();
    if (size > MAX_PROGRAM_SIZE) {
      return {
        ok: false,
        problem: `is too large: its repeats unfold to ${size} steps, at most ${MAX_PROGRAM_SIZE} are allowed`,
      };
    }
    return { ok: true, pattern: compiled };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const message = error.message.replace(/^error parsing regexp:\s*/, '');
    const hint = /Perl syntax|escape sequence/.test(message)
      ? ' (look-around and back-references are not supported: patterns run in linear time)'
      : '';
    return { ok: false, problem: `does not compile: ${message}${hint}` };
  }
}

/** Returns why a pattern can't be used, as the end of a sentence ("does not compile: …"), or null if it can. */
export function patternProblem(pattern: string, flags?: string): string | null {
  const compiled = compilePattern(pattern, flags);
  return compiled.ok ? null : compiled.problem;
}
