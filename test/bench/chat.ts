import { builtinRegistry } from '../../plugins/content/registry.ts'
import type { Block, Page } from '../../plugins/content/page.ts'
import type { PlanningInput } from '../../plugins/chat/planner.ts'
import { planByRules } from '../../plugins/chat/rules/plan-by-rules.ts'
import { inTurn, measure, report, startServer, type BenchServer } from './harness.ts'
import type { Bench } from './run.ts'

const rounds = 9
const json = { 'content-type': 'application/json' }
const types = ['Hero', 'RichText', 'CardGrid', 'FAQAccordion', 'FeatureGrid', 'Testimonials', 'Stats', 'CTA', 'TwoColumn', 'Quote']

/** A page of forty blocks, with one Hero. */
const page: Page = {
  id: 'p_home',
  slug: '/',
  title: 'Home',
  updatedAt: '2026-01-01T12:00:00.000Z',
  blocks: Array.from({ length: 40 }, (_, at): Block => {
    const type = at === 0 ? 'Hero' : (types[1 + (at % (types.length - 1))] ?? 'RichText')
    return { id: `b_${at}`, type, props: { ...builtinRegistry.get(type)?.starter() } }
  }),
}

/** Every request says something new, so that none is skipped. */
const value = (at: number): string => `Title ${at} ${performance.now()}`

/** The same edit in words and as an operation, one client at a time: the talk of a session is no race. */
const words: Bench = async (folder) => {
  const server = await startServer('standalone', { dataDir: await folder() })
  const post = (path: string, body: object) => fetch(`${server.url}${path}`, { method: 'POST', headers: json, body: JSON.stringify(body) })
  await post('/draft/bootstrap', { pages: [page] })
  const cpu = (each: BenchServer, path: string, body: (at: number) => object) => async () =>
    (await measure(each, { path, method: 'POST', headers: json, body: (at) => JSON.stringify(body(at)), connections: 1, amount: 1_000 })).cpu
  const asked = cpu(server, '/chat', (at) => ({ slug: '/', message: `Change the headline to "${value(at)}"` }))
  const sent = cpu(server, '/ops', (at) => ({ ops: [{ op: 'update_props', pageSlug: '/', blockId: 'b_0', patch: { heading: value(at) } }] }))
  const ratios = await inTurn(rounds, asked, sent)
  await server.stop()
  return report('an edit in words without a model, times the same by POST /ops', ratios, { atMost: 1.5 })
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

export const benches = { words, planning }
