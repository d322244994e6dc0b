import { readFileSync } from 'node:fs'

/**
 * Returns the script of draft pages as text: an expression for the function that starts it. In the package, the text
 * is here; `config/prepare.mjs` builds it for the sources.
 */
export const previewScript = (): string =>
  readFileSync(new URL('../../../.built/preview.js', import.meta.url), 'utf8')
