// Plain JavaScript that old versions of Node can read: it is loaded before anything is known of this one.
import module from 'node:module';
import path from 'node:path';

/**
 * Keeps what this process compiles for the next start, beside the pages, so that it goes with the build it belongs to. Does nothing in
 * versions of Node that can't.
 */
export function keepCompiled(project) {
  module.enableCompileCache?.(path.join(project, '.next/compiled'));
}
