import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import t from 'tap'
import { collectionsOf } from '../../plugins/store/port.ts'
import { pathOf } from '../surface/doors.ts'
import { builtinPlugins } from '../surface/environment.ts'

const calls = /\bdefineCollection\(\s*(?:'(\w+)'|`([^`]+)`)/g

const read = (file: string): string => readFileSync(pathOf(file), 'utf8')
const files = globSync('plugins/**/*.ts', { cwd: pathOf('.') })

/** The room of each plugin by its name. */
const rooms = new Map(
  files.flatMap((file) => {
    const [, name] = /^export default definePlugin\(\{\s*name: '([\w-]+)'/m.exec(read(file)) ?? []
    return name === undefined ? [] : [[name, dirname(file)] as const]
  }),
)
/** Whether a file is of a room, and not of one inside it. */
const isOf = (room: string, file: string): boolean =>
  file.startsWith(`${room}/`) &&
  !rooms.values().some((other) => other.startsWith(`${room}/`) && file.startsWith(`${other}/`))

/** The names that a room passes to `defineCollection`; a part that it computes is `\w+`. */
function definedIn(room: string): readonly string[] {
  const texts = files
    .filter((file) => isOf(room, file))
    .map(read)
    .join('\n')
  const found = [...texts.matchAll(calls)].map(
    ([, name, made = '']) => name ?? made.replaceAll(/\$\{\w+\}/g, '\\w+'),
  )
  t.equal(found.length, texts.split(/\bdefineCollection\(/).length - 1, `${room}: every name was read`)
  return found
}

t.test('every collection is declared by the plugin of its room, and by no other', async (t) => {
  const plugins = await builtinPlugins()
  const names = collectionsOf(plugins).map(({ name }) => name)
  t.ok(names.length > 30, 'the collections were found')
  t.same(names, [...new Set(names)], 'each is declared once')
  for (const plugin of plugins) {
    const own = collectionsOf([plugin]).map(({ name }) => name)
    const room = rooms.get(plugin.name)
    if (room === undefined) throw new Error(`${plugin.name} has no room`)
    for (const name of definedIn(room))
      t.ok(
        own.some((each) => new RegExp(`^${name}$`).test(each)),
        `${plugin.name} declares ${name}`,
      )
  }
})
