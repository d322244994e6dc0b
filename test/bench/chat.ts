import { setTimeout as pause } from 'node:timers/promises'
import { generateManifest } from '../../plugins/content/manifest.ts'
import { builtinRegistry } from '../../plugins/content/registry.ts'
import type { Block, Page } from '../../plugins/content/page.ts'
import type { PlanningInput } from '../../plugins/chat/port.ts'
import { planByRules } from '../helpers/chat-rules.ts'
import { ending, event, opening, startModelServer } from '../helpers/model-server.ts'
import { type BenchServer, fill, inTurn, json, measure, post, report, startServer } from './harness.ts'
import { siteOf, types } from './pages.ts'
import type { Bench } from './run.ts'

const rounds = 9
const oneByOne = { method: 'POST', headers: json, connections: 1 } as const

const others = types.filter((type) => type !== 'Hero')

/** A page of forty blocks, with one Hero. */
const page: Page = {
  id: 'p_home',
  slug: '/',
  title: 'Home',
  updatedAt: '2026-01-01T12:00:00.000Z',
  blocks: Array.from({ length: 40 }, (_, at): Block => {
    const type = at === 0 ? 'Hero' : (others[at % others.length] ?? 'RichText')
    return { id: `b_${at}`, type, props: { ...builtinRegistry.get(type)?.starter() } }
  }),
}

/** A unique text per request, so that none is skipped. */
const value = (at: number): string => `Title ${at} ${performance.now()}`

/** The same edit in words and as an operation, by one client at a time: a session is sequential. */
const words: Bench = async (folder) => {
  const server = await startServer('standalone', { dataDir: await folder() })
  await fill(server, [page])
  const cpu = (path: string, body: (at: number) => object) => async () =>
    (await measure(server, { ...oneByOne, path, body: (at) => JSON.stringify(body(at)), amount: 900 })).cpu
  const ratios = (site: object = {}) =>
    inTurn(
      rounds,
      cpu('/chat', (at) => ({ ...site, slug: '/', message: `Change the headline to "${value(at)}"` })),
      cpu('/ops', (at) => ({
        ...site,
        ops: [{ op: 'update_props', pageSlug: '/', blockId: 'b_0', patch: { heading: value(at) } }],
      })),
    )
  const own = await ratios()
  const declared = await ratios({ componentsManifest: JSON.stringify(generateManifest(builtinRegistry)) })
  await server.stop()
  report('the same for a site that declares its block types with each request', declared, {})
  return report('an edit in words without a model, CPU times that of POST /ops', own, { atMost: 2.2 })
}

/** The same edit in words on a small and on a large draft. */
const many: Bench = async (folder) => {
  const serverOf = async (count: number) => {
    const server = await startServer('standalone', { dataDir: await folder() })
    await fill(server, siteOf(count, 1_000))
    return server
  }
  const [few, all] = [await serverOf(10), await serverOf(10_000)]
  const body = (at: number) => JSON.stringify({ slug: '/', message: `Change the headline to "${value(at)}"` })
  const cpu = (server: BenchServer) => async () =>
    (await measure(server, { ...oneByOne, path: '/chat', body, amount: 200 })).cpu
  const ratios = await inTurn(rounds, cpu(all), cpu(few))
  await Promise.all([few.stop(), all.stop()])
  return report('an edit in words on 10,000 pages, CPU times that on 10 pages', ratios, { atMost: 6 })
}

/** A plan, cut after its first complete operation. */
const written = (heading: string) => {
  const before = {
    intent: 'edit_plan',
    summary_for_user: 'I will make the heading friendlier.',
    change_log: ['Set the heading'],
  }
  const op = JSON.stringify({ op: 'update_props', pageSlug: '/', blockId: 'b_0', patch: { heading } })
  return [`${JSON.stringify(before).slice(0, -1)},"ops":[${op.slice(0, -1)}`, '}', ']}'] as const
}

const delta = (partial_json: string): string =>
  event('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json } })

/** Milliseconds from an operation in the output of a model to its event at the client. */
const firstOp: Bench = async (folder) => {
  const ends: (() => unknown)[] = []
  const model = await startModelServer({ teardown: (end) => void ends.push(end) })
  const server = await startServer('standalone', { dataDir: await folder(), model: model.origin })
  await fill(server, [page])
  let completed = 0
  model.script(async (response) => {
    const [start, end, rest] = written(value(0))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(
      opening() +
        event('content_block_start', {
          index: 0,
          content_block: { type: 'tool_use', id: 'toolu_bench', name: 'submit_edit_plan', input: {} },
        }) +
        delta(start),
    )
    await pause(20)
    completed = performance.now()
    response.write(delta(end))
    await pause(20)
    response.end(delta(rest) + event('content_block_stop', { index: 0 }) + ending('tool_use'))
  })
  const times: number[] = []
  for (let round = 0; round <= 50; round++) {
    const { streamId } = (await post(server, '/chat/start', {
      session: 'dev',
      slug: '/',
      message: 'Make the heading friendlier',
    })) as { streamId: string }
    const seen = await seenAt(`${server.url}/chat/stream?streamId=${streamId}`, '"op_candidate"')
    if (round > 0) times.push(seen - completed)
  }
  await server.stop()
  await Promise.all(ends.map((end) => end()))
  return report(
    'from the first complete operation on the wire of the model to the event of the client',
    times,
    { atMost: 20 },
    ' ms',
  )
}

/** The time at which a text arrived in a stream, which is read to its last event. */
async function seenAt(url: string, text: string): Promise<number> {
  const { body } = await fetch(url)
  let received = ''
  let at = Number.NaN
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    received += chunk
    if (Number.isNaN(at) && received.includes(text)) at = performance.now()
    if (received.includes('"type":"final"')) break
  }
  return at
}

const planning: Bench = async () => {
  const input = (message: string): PlanningInput => ({
    siteId: 'site',
    message,
    locale: 'en',
    draft: { version: 1, pages: [page], config: {} },
    selection: { slug: '/' },
    registry: builtinRegistry,
  })
  const messages = [
    'Change the headline to "Open on Sundays"',
    'please move the second FAQ below the stats',
    'Add a banner saying "Closed on Mondays" at the bottom',
    'Delete the last testimonial of the first testimonials section',
    'rename the hero button to "Book now" and set its link to /contact',
  ]
  const times: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const started = performance.now()
    for (let at = 0; at < 200; at++) planByRules(input(messages[at % messages.length] ?? ''))
    if (round > 0) times.push((performance.now() - started) / 200)
  }
  return report('a message planned by rules on a page of 40 blocks', times, { atMost: 1 }, ' ms')
}

export const benches = { words, many, planning, firstOp }
