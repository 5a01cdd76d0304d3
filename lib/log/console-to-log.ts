import { format, stripVTControlCharacters } from 'node:util';
import type { Log } from './log.ts';

type Printing = Pick<Console, 'log' | 'info' | 'debug' | 'warn' | 'error'>;

/** What libraries print (Next among them) goes through the log too, so that each line is of its form and without secrets. */
export function consoleToLog(log: Log, target: Printing = console): void {
  const tell =
    (level: 'info' | 'warn') =>
    (...values: unknown[]) =>
      log[level](inOneText(values));
  target.log = tell('info');
  target.info = tell('info');
  target.debug = tell('info');
  target.warn = tell('warn');
  target.error = (...values: unknown[]) => {
    const thrown = values.find((value) => value instanceof Error);
    log.error(thrown === undefined ? inOneText(values) : 'printed by a library', thrown);
  };
}

function inOneText(values: unknown[]): string {
  return stripVTControlCharacters(format(...values)).trim();
}
