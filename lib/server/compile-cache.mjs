// Plain JavaScript that old Node versions can parse, because this file is loaded before the Node version is checked.
import module from 'node:module';
import path from 'node:path';

/**
 * Enables the compile cache in a folder that Next keeps during a build. Hone empties it before a build. Does nothing in Node versions
 * without a compile cache.
 */
export function keepCompiled(project) {
  module.enableCompileCache?.(path.join(project, '.next/cache/compiled'));
}
