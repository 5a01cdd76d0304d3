import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { fail, succeed } from '#lib/core/problem.ts';

/** Arguments that a command accepts. `operands`: the minimum and maximum number of arguments that are not options. */
type Accepted<Options extends ParseArgsOptionsConfig> = { options: Options; operands?: readonly [number, number] };

/** Exit code for wrong arguments, as of other programs. */
const USAGE_EXIT_CODE = 2;

/** Parses the arguments of a command. Fails for an unknown option, a missing or superfluous value, and a wrong number of operands. */
export function parseArguments<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  { options, operands: [least, most] = [0, 0] }: Accepted<Options>,
) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    if (positionals.length > most) return fail('invalid', `Unexpected argument '${positionals[most]}'.`);
    if (positionals.length < least) return fail('invalid', 'An argument is missing.');
    return succeed({ values, operands: positionals });
  } catch (error) {
    const [message = ''] = (error instanceof Error ? error.message : String(error)).split('. To specify', 1);
    return fail('invalid', message.replace(/\.?$/, '.'));
  }
}

/**
 * Returns the parsed arguments of a command. For `--help`, prints `usage` and ends the process. For wrong arguments, prints what is wrong
 * and `usage`, and ends the process with exit code 2.
 */
export function readArguments<const Options extends ParseArgsOptionsConfig>(
  usage: string,
  accepted: Accepted<Options>,
  args: readonly string[] = process.argv.slice(2),
) {
  if (args.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  const parsed = parseArguments(args, accepted);
  return parsed.ok ? parsed.value : refuseArguments(parsed.problem.message, usage);
}

/** Prints what is wrong with the arguments of a command and its usage, and ends the process with exit code 2. */
export function refuseArguments(message: string, usage: string): never {
  process.stderr.write(`${message}\n\n${usage}\n`);
  process.exit(USAGE_EXIT_CODE);
}
