import { readFileSync } from 'node:fs'

/**
 * Returns the script of pages that carry no marks as text, which starts by itself. In the package, the text stands
 * here; `config/prepare.mjs` builds it for the sources.
 */
export const pageTextsScript = (): string =>
  readFileSync(new URL('../../../../.built/page-texts.js', import.meta.url), 'utf8')
