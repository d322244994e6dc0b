import { readdirSync, readFileSync } from 'node:fs'

/**
 * Returns the files of the built studio by name. In the package, they are here; `config/prepare.mjs` builds them for
 * the sources.
 */
export function studioFiles(): Readonly<Record<string, string>> {
  const folder = new URL('../../.built/studio/', import.meta.url)
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]),
  )
}
