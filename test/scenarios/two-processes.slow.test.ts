import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import type { Injected, Injection } from '../../kernel/index.ts'
import { currentEnvironment } from '../../config/env.ts'
import { pageOf } from '../helpers/content.ts'
import { editor, temporaryFolder, textBlock, versionIn } from '../helpers/stack.ts'

interface Reply {
  readonly id: number
  readonly status: number
  readonly headers: [string, string][]
  readonly text: string
  readonly log: readonly string[]
}

/** Starts one process of a website on a data directory, and returns a client of it. */
function startProcess(t: Test, dataDir: string) {
  const env = { ...currentEnvironment(), ORCHESTRATOR_DATA_DIR: dataDir }
  const child = fork(fileURLToPath(new URL('../helpers/mounted.ts', import.meta.url)), { env })
  const waiting = new Map<number, (reply: Reply) => void>()
  let asked = 0
  let log: Reply['log'] = []
  child.on('message', (reply: Reply) => {
    log = reply.log
    waiting.get(reply.id)?.(reply)
  })
  t.teardown(async () => {
    const gone = once(child, 'exit')
    child.disconnect()
    await gone
  })
  const ask = async (request: Injection): Promise<Injected> => {
    const id = ++asked
    const { promise, resolve } = Promise.withResolvers<Reply>()
    waiting.set(id, resolve)
    child.send({ id, request })
    const { status, headers, text } = await promise
    return { status, headers: new Headers(headers), text, json: () => JSON.parse(text) as unknown }
  }
  return { ...editor(ask), log: () => log }
}

t.test('two processes of a website on one data directory lose and refuse nothing', async (t) => {
  const dataDir = temporaryFolder(t)
  const processes = [startProcess(t, dataDir), startProcess(t, dataDir)]
  const [here, there] = processes
  if (!here || !there) throw new Error('two processes are required')
  await here.bootstrap([pageOf('/', [textBlock('b_1', '0')])], { overwrite: true })
  // Each caches the page from now on.
  for (const { page } of processes) t.equal((await page('/')).blocks[0]?.props['body'], '0')

  const begin = await here.version()
  for (let round = 1; round <= 20; round++) {
    const [writer, reader] = round % 2 === 0 ? [here, there] : [there, here]
    const written = await writer.ops([
      { op: 'update_props', pageSlug: '/', blockId: 'b_1', patch: { body: `${round}` } },
    ])
    t.same([written.status, versionIn(written)], [200, begin + round], `edit ${round}`)
    t.equal((await reader.page('/')).blocks[0]?.props['body'], `${round}`, `read after edit ${round}`)
  }

  const each = 50
  const statuses = await Promise.all(
    processes.flatMap(({ ops }, at) =>
      Array.from({ length: each }, (_, count) =>
        ops([{ op: 'create_page', page: { slug: `/p${at}-${count}` } }]).then(({ status }) => status),
      ),
    ),
  )
  t.same([...new Set(statuses)], [200])
  for (const { slugs, version } of processes)
    t.same([(await slugs()).length, await version()], [1 + 2 * each, begin + 20 + 2 * each])
  const undone = await Promise.all(processes.map(({ undo }, at) => undo(`/p${at}-0`)))
  const undoing = undone.map(({ status }) => status)
  t.same(undoing, [200, 200])
  t.same(await here.slugs(), await there.slugs())
  for (const { log } of processes)
    t.equal(
      log().join('').split('writes to the file, so every read goes to it').length,
      2,
      'each logs it once',
    )
})
