import { loadDemoPages } from '../../plugins/demo-site/port.ts'
import { png } from '../helpers/media-files.ts'

/** The drafts that are edited, and the pages of each: five of the demo site, and large ones. */
export const drafts = 50
const pagesOfDraft = 20
const ownPages = 15
const siteId = 'demo'

interface Worker {
  readonly count: number
  readonly everyMs: number
  /** Works without a pause until memory is measured: V8 has collected all garbage by then. */
  readonly warmsUp?: boolean
  work(origin: string, at: number, round: number, stop: AbortSignal): Promise<unknown>
}

const sessionOf = (number: number): string => `desk-${number % drafts}`

/** A draft and a page that differ from request to request; in the end all pages of all drafts had their turn. */
function placeOf(at: number, round: number) {
  const number = round * 8 + at
  return { session: sessionOf(number), page: Math.floor(number / drafts) % pagesOfDraft }
}

/** What is done at once, all day long. */
export const workers: Readonly<Record<string, Worker>> = {
  edits: {
    count: 8,
    everyMs: 50,
    warmsUp: true,
    work(origin, at, round) {
      const { session, page } = placeOf(at, round)
      const op = { op: 'update_props', pageSlug: `/page-${page}`, blockId: `b_page_${page}` }
      return send(origin, '/ops', {
        session,
        ops: [page < ownPages ? { ...op, patch: { title: `${at} ${round}` } } : titleOf(`${at} ${round}`)],
      })
    },
  },
  reads: {
    count: 4,
    everyMs: 50,
    work(origin, at, round) {
      const { session, page } = placeOf(at, round)
      const of = `siteId=${siteId}&session=${session}`
      const paths = [
        `/draft/pages?${of}&slug=/page-${page % ownPages}`,
        `/draft/slugs?${of}`,
        `/publish/diff?${of}`,
        `/history/status?${of}&slug=/`,
      ]
      return read(`${origin}${paths[round % paths.length]}`)
    },
  },
  checks: {
    count: 1,
    everyMs: 2_000,
    work: (origin, at, round) => send(origin, '/checks/run', { session: sessionOf(at + round) }),
  },
  messages: {
    count: 2,
    everyMs: 500,
    work: (origin, at, round) =>
      send(origin, '/chat', {
        session: sessionOf(2 * round + at),
        slug: '/',
        message: `Make the heading friendlier, ${at} ${round}`,
      }),
  },
  publishes: {
    count: 1,
    everyMs: 5_000,
    // All drafts change the same pages.
    work: (origin, _, round) => send(origin, '/publish', { session: sessionOf(round), overwrite: true }),
  },
  uploads: {
    count: 1,
    everyMs: 1_000,
    async work(origin) {
      const form = new FormData()
      form.set('image', new File([new Uint8Array(png(300, 200))], 'harbor.png', { type: 'image/png' }))
      await accepted(await fetch(`${origin}/image/upload`, { method: 'POST', body: form }))
    },
  },
  reconnects: {
    count: 2,
    everyMs: 200,
    work: (origin, at, round, stop) =>
      listen(origin, at + round, AbortSignal.any([stop, AbortSignal.timeout(100)])),
  },
}

export const titleOf = (heading: string) => ({
  op: 'update_props',
  pageSlug: '/',
  blockId: 'b_hero_home',
  patch: { heading },
})

const filler = 'It has to be said at length. '.repeat(100)

/** Makes a page of about 30 KB. */
const toPage = (number: number) => ({
  id: `p_page_${number}`,
  slug: `/page-${number}`,
  title: `Page ${number}`,
  updatedAt: '2026-01-01T12:00:00.000Z',
  blocks: Array.from({ length: 10 }, (_, at) => ({
    id: at === 0 ? `b_page_${number}` : `b_page_${number}_${at}`,
    type: 'RichText',
    props: { title: 'new', body: filler },
  })),
})

/** Fills the drafts: the five pages of the demo site, and fifteen large ones. */
export async function fillDrafts(origin: string): Promise<void> {
  const { demoPages } = await loadDemoPages()
  const pages = [...demoPages, ...Array.from({ length: ownPages }, (_, number) => toPage(number))]
  for (let number = 0; number < drafts; number++)
    await send(origin, '/draft/bootstrap', { session: sessionOf(number), pages, overwrite: true })
}

async function send(origin: string, path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const text = JSON.stringify({ siteId, ...body })
  await accepted(await fetch(origin + path, { method: 'POST', headers, body: text }))
}

const read = async (address: string): Promise<unknown> => accepted(await fetch(address))

async function accepted(answer: Response): Promise<string> {
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${text}`)
  return text
}

/** Reads the event stream of a draft until it is stopped. */
export async function listen(origin: string, number: number, stop: AbortSignal): Promise<void> {
  try {
    const address = `${origin}/events?siteId=${siteId}&session=${sessionOf(number)}`
    const { body } = await fetch(address, { signal: stop })
    for await (const _ of body ?? []);
  } catch (error) {
    if (!stop.aborted) throw error
  }
}
