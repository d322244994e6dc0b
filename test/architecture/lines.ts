/** The lines of every room: of the kernel, of `config` and of each folder of plugins. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The room of a file: the folder of a plugin, such as `draft`, or `kernel` or `config`. */
function roomOf(path: string): string {
  const [floor = '', room = ''] = path.split(/[\\/]/)
  return floor === 'plugins' ? room : floor
}

const linesIn = (path: string): number => readFileSync(`${root}${path}`, 'utf8').split('\n').length - 1

/** The lines of TypeScript of every room, by its name. */
export function linesOfRooms(): ReadonlyMap<string, number> {
  const paths = globSync('{kernel,config,plugins/*}/**/*.{ts,tsx}', { cwd: root })
  const rooms = Map.groupBy(paths.toSorted(), roomOf)
  return new Map(
    [...rooms].map(([room, files]) => [room, files.reduce((sum, file) => sum + linesIn(file), 0)]),
  )
}

/** The cap of a room that has so many lines now. */
export const capFor = (lines: number): number => Math.ceil((lines * 1.03) / 10) * 10
