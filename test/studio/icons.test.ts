import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const app = fileURLToPath(new URL('../../plugins/studio/app/', import.meta.url))
const read = (path: string): string => readFileSync(`${app}${path}`, 'utf8')
const own = 'parts/icons.ts'

t.test('the file of icons has every icon that is named, and each is used', (t) => {
  const named = [...read(own).matchAll(/'([\w-]+)'/g)].map(([, name]) => name)
  const drawn = [...read('icons.svg').matchAll(/<symbol id="([\w-]+)"/g)].map(([, id]) => id)
  t.ok(named.length > 20, 'the icons were found')
  t.strictSame(drawn, named)
  const views = globSync('**/*.{ts,tsx}', { cwd: app, exclude: [own] })
    .map(read)
    .join()
  t.strictSame(
    named.filter((name) => !views.includes(`'${name}'`) && !views.includes(`"${name}"`)),
    [],
    'none is left over',
  )
  t.end()
})
