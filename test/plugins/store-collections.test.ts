import { globSync, readFileSync } from 'node:fs'
import t from 'tap'
import { collectionsOf } from '../../plugins/store/port.ts'
import { pathOf } from '../surface/doors.ts'
import { builtinPlugins } from '../surface/environment.ts'

const calls = /\bdefineCollection\(\s*(?:'(\w+)'|`([^`]+)`)/g

/** The names that each room passes to `defineCollection`; a part that it computes stands as `\w+`. */
function definedIn(room: string): readonly string[] {
  const files = globSync(`plugins/${room}/**/*.ts`, { cwd: pathOf('.') })
  const texts = files.map((file) => readFileSync(pathOf(file), 'utf8')).join('\n')
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
    for (const name of definedIn(plugin.name))
      t.ok(
        own.some((each) => new RegExp(`^${name}$`).test(each)),
        `${plugin.name} declares ${name}`,
      )
  }
})
