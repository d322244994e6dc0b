import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { clockOf, numberOf, sizeOf, whenOf } from '../../plugins/studio/app/stores/formats.ts'

const app = fileURLToPath(new URL('../../plugins/studio/app/', import.meta.url))
const own = 'stores/formats.ts'
const formatter =
  /Intl\.(?:DateTime|Number|RelativeTime|Duration)Format|\.toLocale(?:Date|Time)?String|\.toFixed/
const english = /Intl\.(?:DateTime|Number)Format\('/

t.test('times and numbers are written in one place, in the language of the browser', async (t) => {
  const files = globSync('**/*.{ts,tsx}', { cwd: app })
  t.ok(files.length > 100, 'the files were found')
  const formatting = files.filter((file) => formatter.test(readFileSync(app + file, 'utf8')))
  t.strictSame(formatting, [own])
  t.notMatch(readFileSync(app + own, 'utf8'), english, 'no language is set')
})

t.test('what was today has its time alone', async (t) => {
  const now = new Date().toISOString()
  t.equal(whenOf(now), `at ${clockOf(now)}`)
  t.match(whenOf('2026-05-03T12:25:00.000Z'), /^on .*2026/)
  t.equal(sizeOf(999), '1 KB')
  t.equal(sizeOf(2_340_000), `${new Intl.NumberFormat().format(2.3)} MB`)
  t.equal(numberOf(1234.5), new Intl.NumberFormat().format(1234.5))
})
