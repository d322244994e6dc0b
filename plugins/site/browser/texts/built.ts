import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../../../../.built/page-texts/', import.meta.url)

/**
 * Returns the scripts of pages that carry no marks by name: `texts.js`, a module that starts by itself, and those that it
 * loads from beside it once an editor answers. In the package, the texts are here; `config/prepare.mjs` builds them for the
 * sources.
 */
export const pageTextsScripts = (): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]))
