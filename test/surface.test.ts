import { readFile } from 'node:fs/promises'
import t from 'tap'
import { readSettings } from '../config/settings.ts'
import { folderWith, orchestrator } from './config/helpers.ts'
import { fixtures, gatesFile, tables } from './surface/all.ts'
import { doors, pathOf } from './surface/doors.ts'
import { builtinPlugins, variables } from './surface/environment.ts'
import { exportsOf } from './surface/exports.ts'
import { publicRefs } from './surface/refs.ts'
import { remedy, testTables } from './surface/test-tables.ts'

const lines = (text: string): readonly string[] => text.split('\n')

for (const [name, text] of Object.entries(fixtures)) {
  t.test(`the surface is the one recorded in test/fixtures/surface/${name}`, async (t) => {
    const written = await readFile(pathOf(`test/fixtures/surface/${name}`), 'utf8').catch(() => '')
    t.strictSame(lines(await text()), lines(written), remedy)
  })
}

for (const file of Object.keys(tables)) if (file !== gatesFile) testTables(file)

t.test(
  'the table of refs has every ref that a built-in plugin declares, gives or needs, except private gates',
  async (t) => {
    const listed = new Set((await publicRefs()).map(({ ref: { id } }) => id))
    const plugins = await builtinPlugins()
    t.ok(listed.size > 30)
    const used = plugins.flatMap(({ needs, gives }) =>
      [...Object.values(needs), ...Object.values(gives)].map(({ id }) => id),
    )
    t.strictSame([...new Set(used)].filter((id) => !listed.has(id)).toSorted(), [
      'gate.jira',
      'gate.mcp',
      'gate.own-server',
      'gate.preview-link',
      'gate.probe',
      'gate.telemetry',
    ])
  },
)

t.test('the recorded exports are those of the modules', async (t) => {
  for (const { address, file } of doors()) {
    const module: Readonly<Record<string, unknown>> = await import(pathOf(file))
    const values = [...exportsOf(file)].filter(([, { value }]) => value).map(([name]) => name)
    t.strictSame(values.toSorted(), Object.keys(module).toSorted(), address)
  }
})

t.test('every variable has a description of one line', async (t) => {
  for (const { name, effect } of await variables()) {
    t.match(effect, /^[A-Z`].*\.$/, name)
    t.ok(effect.length <= 200, `${name} takes ${effect.length} characters`)
  }
})

t.test('`orchestrator config --all` prints the table for the loaded plugins', async (t) => {
  const folder = folderWith(t)
  const { code, out } = await orchestrator(folder, ['config', '--all', '--json'])
  t.equal(code, 0)
  t.strictSame(JSON.parse(out), await variables())
  const text = await orchestrator(folder, ['config', '--all'])
  t.match(text.out, /^PORT +4200 +The port to listen on; 0 takes any free one\.$/m)
})

t.test('the defaults in the table are those of the code', async (t) => {
  const known = new Map((await variables()).map(({ name, otherwise }) => [name, otherwise]))
  const { host, port, dataDir, logLevel } = readSettings({
    env: {},
    config: { shape: 'standalone' },
    cwd: '/work',
  })
  t.equal(known.get('HOST'), host.value)
  t.equal(known.get('PORT'), String(port.value))
  t.equal(dataDir.value, `/work/${/`(.*)`/.exec(known.get('ORCHESTRATOR_DATA_DIR') ?? '')?.[1]}`)
  t.match(known.get('ORCHESTRATOR_LOG_LEVEL'), `\`${logLevel.value}\``)
})
