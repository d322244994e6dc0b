import { existsSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { inOrder, runFiles, type FileTimer } from './helpers/run-files.ts'
import { temporaryFolder } from './helpers/stack.ts'
import { until } from './helpers/until.ts'
import { pathOf } from './surface/doors.ts'

/** Test files by their names, each behind a test that passes, in the order in which they run. */
const files = {
  'throws-at-load': `throw new Error('at load')`,
  'throws-late': `const timer = setInterval(() => {
    if (!globalThis.isLater) return
    clearInterval(timer)
    globalThis.hasThrown = true
    throw new Error('late')
  })`,
  'beside-that': `t.test('it waits', async (t) => {
    globalThis.isLater = true
    while (!globalThis.hasThrown) await turn()
    t.pass()
  })`,
  'throws-in-time': `t.test('it waits', () => { setTimeout(() => { throw new Error('in time') }); return turn(1e6) })`,
  exits: `t.test('it exits', () => process.exit(0))`,
  'exits-late': `globalThis.isCutOff = true
  const timer = setInterval(() => globalThis.isLater && process.exit(0))`,
  'cut-off-by-that': `t.test('it goes on', async (t) => {
    globalThis.isLater = true
    t.pass()
    if (globalThis.isCutOff) await turn(1e6)
  })`,
  hangs: `t.test('outer', (t) => t.test('inner', (t) => { t.pass(); writeFileSync('HANGING', ''); return turn(1e6) }))`,
  'waits-for-nothing': `t.test('it waits', () => new Promise(() => {}))`,
  fails: `t.test('it fails', async (t) => t.equal(1, 2))`,
  'last-one': '',
}

t.test('each file of a group has a result of its own, whatever another one does', async (t) => {
  const folder = temporaryFolder(t)
  symlinkSync(pathOf('node_modules'), join(folder, 'node_modules'))
  const hanging = join(folder, 'hanging')
  for (const [name, body] of Object.entries(files)) {
    const text = `import t from 'tap'
      import { writeFileSync } from 'node:fs'
      import { setTimeout as turn } from 'node:timers/promises'
      t.test('it passes', async (t) => t.pass())
      ${body.replace('HANGING', hanging)}`
    writeFileSync(join(folder, `${name}.test.mjs`), text)
  }
  const timer: FileTimer = (file, expire) => {
    if (file === 'hangs.test.mjs') void until(() => existsSync(hanging)).then(expire)
    return () => undefined
  }
  const lines: string[] = []
  const names = Object.keys(files).map((name) => `${name}.test.mjs`)
  const passed = await runFiles({ folder, files: names, write: (line) => lines.push(line), timer })

  t.equal(passed, false)
  const results = lines.flatMap(
    (line) => /^((?:not )?ok) \d+ - (.*?)(?: # time=.*)?$/.exec(line)?.slice(1).join(' ') ?? [],
  )
  t.strictSame(
    results.filter((each) => !each.endsWith(' as they were')).map((each) => each.replace('.test.mjs', '')),
    [
      'not ok throws-at-load',
      'ok throws-late',
      'not ok throws-late after its end',
      'ok beside-that',
      'not ok throws-in-time',
      'not ok exits',
      'ok exits-late',
      'not ok exits-late after its end',
      'ok cut-off-by-that',
      'not ok hangs',
      'not ok waits-for-nothing',
      'not ok fails',
      'ok last-one',
    ],
  )
  t.equal(lines.at(-1), `1..${results.length}`, 'the record is complete')
  const record = lines.join('\n')
  for (const said of [
    'message: "called process.exit(0)"',
    'message: "threw where no test catches it"',
    'stack: "Error: in time\\n',
    'unfinished: "hangs.test.mjs > outer > inner"',
  ])
    t.ok(record.includes(said), said)
})

t.test(
  'a file that ends its process before any other has begun is no reason to start it again',
  async (t) => {
    const lines: string[] = []
    const folder = join(temporaryFolder(t), 'missing')
    t.equal(
      await runFiles({ folder, files: ['a.test.ts', 'b.test.ts'], write: (line) => lines.push(line) }),
      false,
    )
    t.match(
      lines.filter((line) => line.startsWith('not ok')),
      ['a.test.ts', 'b.test.ts'],
    )
  },
)

t.test('a seed orders files, always the same, and any two of them whatever the others are', (t) => {
  const names = ['a', 'b', 'c', 'd', 'e']
  t.strictSame(inOrder(names, '1'), inOrder(names.toReversed(), '1'))
  t.strictSame(inOrder(names, '1').toSorted(), names)
  const orders = new Set(Array.from({ length: 20 }, (_, seed) => inOrder(names, `${seed}`).join()))
  t.ok(orders.size > 10, `${orders.size} orders`)
  t.strictSame(
    inOrder(names, '1').filter((name) => name !== 'c'),
    inOrder(['a', 'b', 'd', 'e'], '1'),
  )
  t.end()
})

t.test('what uses async_hooks is tested in processes of its own, as groups have no hooks', (t) => {
  const sources = globSync('{kernel,plugins,config}/**/*.ts', { cwd: pathOf('.') })
  const using = sources.filter((file) => readFileSync(pathOf(file), 'utf8').includes("'node:async_hooks'"))
  t.strictSame([...new Set(using.map(dirname))], ['plugins/tracing'])
  const tests = globSync('plugins/tracing{/**/*,*}.test.ts', { cwd: pathOf('test') })
  t.ok(tests.length > 2, `${tests.length} files`)
  t.strictSame(
    tests.filter((file) => !file.endsWith('.own.test.ts')),
    [],
  )
  t.end()
})
