import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { pageOf } from '../../helpers/content.ts'
import { editor, startStack, temporaryFolder, textBlock } from '../../helpers/stack.ts'
import { until } from '../../helpers/until.ts'
import { deliveriesOf, startReceiver, webhookSecret as secret } from '../../helpers/webhook-receiver.ts'
import { startOwnProcess } from '../../helpers/own-process.ts'

const page = pageOf('/', [textBlock('b_1', 'one')])
const versions = (messages: readonly { readonly data: { readonly version?: number | undefined } }[]) =>
  messages.map(({ data }) => data.version ?? 0).toSorted((a, b) => a - b)
const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, at) => at + 1)

t.test(
  'after a kill between a change and its delivery the next process delivers exactly what was committed',
  async (t) => {
    const folder = temporaryFolder(t)
    // The first delivery never ends, so all others are pending when the process is killed.
    const receiver = await startReceiver(t, () => undefined)
    const retryAfterMs = Array.from({ length: 20 }, () => 50)
    const endpoints = [{ name: 'one', url: receiver.url, secret }]
    const plugins = [['webhooks', { endpoints, parallel: 1, timeoutMs: 500, retryAfterMs }]]
    writeFileSync(join(folder, 'orchestrator.config.json'), JSON.stringify({ plugins }))
    mkdirSync(join(folder, 'data'))
    const start = () => startOwnProcess(t, join(folder, 'data'), { cwd: folder })

    const { service, ask } = await start()
    const { bootstrap, retitle } = editor(ask)
    await bootstrap([page])
    await Promise.all(Array.from({ length: 9 }, (_, at) => retitle('/', `Title ${at}`)))
    await retitle('/none', 'refused')
    const committed = (await deliveriesOf(ask)).map(({ id }) => id)
    t.equal(committed.length, 10)
    await receiver.arrived(1)
    service.kill('SIGKILL')
    t.equal(await service.gone, 'SIGKILL')

    const before = receiver.seen.length
    receiver.answerBy((_, response) => response.end())
    const { ask: askNext } = await start()
    await until(async () => (await deliveriesOf(askNext, '?state=delivered')).length === 10, 'every delivery')
    const sent = receiver.messages().slice(before)
    t.same(new Set(sent.map(({ id }) => id)), new Set(committed), 'each under its id, and nothing else')
    t.same([...new Set(versions(sent))], upTo(10))
  },
)

t.test(
  'two services on one database deliver each change once, and one takes over deliveries of the other',
  async (t) => {
    const receiver = await startReceiver(t)
    const options = { endpoints: [{ name: 'one', url: receiver.url, secret }], lookEveryMs: 20 }
    const dataDir = temporaryFolder(t)
    const start = () =>
      startStack(t, {
        dataDir,
        plugins: [
          ['store', { shared: true, synchronous: 'normal' }],
          ['webhooks', options],
        ],
      })
    const stacks = [await start(), await start()]
    const [here, there] = stacks.map(({ ask }) => editor(ask))
    if (!here || !there) throw new Error('there are two')
    await here.bootstrap([page])
    await Promise.all(
      Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? here : there).retitle('/', `Title ${at}`)),
    )
    for (const { ask } of stacks)
      await until(
        async () => (await deliveriesOf(ask, '?state=delivered&limit=100')).length === 41,
        'every delivery',
      )
    t.same(versions(receiver.messages()), upTo(41))
    t.equal(new Set(receiver.messages().map(({ id }) => id)).size, 41)
  },
)
