import { format, stripVTControlCharacters } from 'node:util';
import { pino } from 'pino';
import { type Log, type LogFacts, thrownText, withoutSecrets } from './log.ts';

/** Destination of log lines. A closed stream must not end the process. */
type Sink = { write(line: string): unknown };

/**
 * Creates a log with one JSON object per line: `level`, `time` (ISO 8601, UTC), `pid`, `app`, `message`, then the facts, and `error` with a
 * stack if an error was thrown. Errors are written to `errors`, all other lines to `lines`.
 */
export function jsonLog(lines: Sink = process.stdout, errors: Sink = process.stderr): Log {
  const options = {
    base: { pid: process.pid, app: 'hone' },
    messageKey: 'message',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
  };
  const logger = pino(options, { write: (line: string) => void lines.write(line) });
  const failed = pino(options, { write: (line: string) => void errors.write(line) });
  return {
    info: (line, facts) => logger.info(safe(facts), withoutSecrets(line)),
    warn: (line, facts) => logger.warn(safe(facts), withoutSecrets(line)),
    request: (line) => logger.info(line, 'request'),
    error: (line, thrown, facts) =>
      failed.error(
        { ...safe(facts), ...(thrown === undefined ? {} : { error: thrownText(thrown) }) },
        withoutSecrets(line),
      ),
  };
}

const SECRET_NAME = /key|token|secret|password|cookie|authorization/i;

function safe(facts: LogFacts = {}): LogFacts {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => {
      if (SECRET_NAME.test(name)) return [name, '[secret]'];
      return [name, typeof value === 'string' ? withoutSecrets(value) : value];
    }),
  );
}

type Printing = Pick<Console, 'log' | 'info' | 'debug' | 'warn' | 'error'>;

/** Redirects console output of libraries such as Next to the log, so that each line has its format and no secrets. */
export function consoleToLog(log: Log, target: Printing = console): void {
  const logAs =
    (level: 'info' | 'warn') =>
    (...values: unknown[]) =>
      log[level](inOneText(values));
  target.log = logAs('info');
  target.info = logAs('info');
  target.debug = logAs('info');
  target.warn = logAs('warn');
  target.error = (...values: unknown[]) => {
    const thrown = values.find((value) => value instanceof Error);
    log.error(thrown === undefined ? inOneText(values) : 'error in a library', thrown);
  };
}

function inOneText(values: unknown[]): string {
  return stripVTControlCharacters(format(...values)).trim();
}
