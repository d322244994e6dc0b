import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'

const root = new URL('../../', import.meta.url)
const Package = v.object({
  exports: v.record(v.string(), v.union([v.string(), v.object({ types: v.string(), default: v.string() })])),
})

/** An entry point of the package, and its source. */
export interface Door {
  /** Such as `content-orchestrator/kernel`. */
  readonly address: string
  /** The path of the source from the root of the project. */
  readonly file: string
}

const toSource = (built: string): string => built.replace(/^\.\/dist\//, '').replace(/\.js$/, '.ts')

/** Every entry point in package.json; one with a star stands for every folder, at any depth, with the file. */
export function doors(): readonly Door[] {
  const { exports } = v.parse(Package, JSON.parse(readFileSync(new URL('package.json', root), 'utf8')))
  return Object.entries(exports).flatMap(([door, target]) => {
    if (typeof target === 'string') return []
    const address = `content-orchestrator${door.slice(1)}`
    const file = toSource(target.default)
    const [folder = '', rest] = file.split('*')
    if (rest === undefined) return [{ address, file }]
    return globSync(`${folder}**${rest}`, { cwd: pathOf('.') })
      .map((found) => ({ name: found.slice(folder.length, -rest.length), file: found }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, file }) => ({ address: address.replace('*', name), file }))
  })
}

/** The path of a file of the project. */
export const pathOf = (file: string): string => fileURLToPath(new URL(file, root))
