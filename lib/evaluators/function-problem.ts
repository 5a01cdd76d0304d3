import { runJavascript } from './javascript/run-javascript.ts';

/** Why code can't be used, as the end of a sentence ("has a mistake in line 3: …"); null when it can. Runs it in the sandbox. */
export async function functionProblem(code: string): Promise<string | null> {
  const answer = await runJavascript({ code, argument: null });
  switch (answer.type) {
    case 'checked':
    case 'returned':
      return null;
    case 'no_function':
      return 'must define a function named evaluate, such as function evaluate({ output }) { return output.length > 0; }';
    case 'syntax_error':
      return `has a mistake${answer.line === null ? '' : ` in line ${answer.line}`}: ${answer.message}`;
    case 'threw':
      return `fails outside of its function: ${answer.message}`;
    case 'out_of_time':
      return 'does not come to its end outside of its function';
    case 'out_of_memory':
    case 'too_large':
      return 'needs too much memory outside of its function';
    case 'broken':
      return `breaks the sandbox down: ${answer.message}`;
  }
}
