import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { listen } from '../helpers/raw.ts'
import { startPostgres } from '../helpers/postgres.ts'
import fc from '../helpers/property.ts'
import { playFiles } from '../helpers/file-play.ts'
import { fileSteps } from '../helpers/file-play-steps.ts'
import { openPlay, type Tally } from '../helpers/play.ts'
import { steps, stepsBehind, stepsOfMenus } from '../helpers/play-steps.ts'
import { ask, read, Unanswered, type Reply, type RequestSpec } from './ask.ts'
import { createFleet } from './fleet.ts'
import { prove } from './processes.ts'
import { createSiteOfRows, pageOfRows, rowOf } from './site-of-rows.ts'

/**
 * Plays random sequences of what happens to a site and its drafts, and compares every value with an oracle; then
 * sequences of what a developer and drafts do to files. Then lets six
 * drafts change one site through three processes on one PostgreSQL, and publishes them twenty times at once in every round,
 * while a process is killed: every acknowledged change is on the site at the end, once, and nothing of the site is lost.
 */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20000' },
    files: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string', default: '20261121' },
  },
})
const drafts = ['one', 'two', 'three', 'four', 'five', 'six']
const publishesPerRound = 20
/** Milliseconds within which the publishes of a round begin, and a process is killed. */
const startedWithinMs = 400
const siteId = 'acme'
/** A service stores a limited number of sites. */
const runsPerService = 250

/** What is played on one service after the other. */
const plays = [
  { steps, isBehind: false },
  { steps: stepsBehind, isBehind: true },
  { steps, isBehind: false },
  { steps: stepsOfMenus, isBehind: false },
] as const

await prove('merge by chance', async () => {
  const sums: Tally = {}
  const all = Number(values.runs)
  for (let done = 0, service = 0; done < all; service++) {
    const numRuns = Math.min(runsPerService, all - done)
    const tally = await playMany(plays[service % plays.length] ?? plays[0], {
      numRuns,
      seed: Number(values.seed) + done,
    })
    for (const [what, times] of Object.entries(tally)) sums[what] = (sums[what] ?? 0) + times
    done += numRuns
    if (service % 20 === 19) console.log(`${done}: ${JSON.stringify(sums)}`)
  }
  return `${all} sequences agreed with the oracle: ${JSON.stringify(sums)}`
})

await prove('merge of files by chance', async () => {
  const [tally, numRuns]: [Tally, number] = [{}, Number(values.files)]
  const property = fc.asyncProperty(fileSteps, (list) => playFiles(list, tally))
  if (numRuns > 0) await fc.assert(property, { numRuns, seed: Number(values.seed) })
  return `${numRuns} sequences agreed with the oracle: ${JSON.stringify(tally)}`
})

/** Plays sequences with one service. */
async function playMany(
  { steps, isBehind }: (typeof plays)[number],
  options: { readonly numRuns: number; readonly seed: number },
): Promise<Tally> {
  const ends: (() => unknown)[] = []
  const { play, tally } = await openPlay({ teardown: (end) => void ends.push(end) }, { isBehind })
  try {
    await fc.assert(fc.asyncProperty(steps, play), options)
    return tally
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}

const Published = v.object({ status: v.string(), code: v.optional(v.string()) })
const List = v.looseObject({
  blocks: v.array(
    v.looseObject({ props: v.looseObject({ items: v.array(v.looseObject({ id: v.string() })) }) }),
  ),
})

await prove('merge with kills', async (folder) => {
  const ends: (() => unknown)[] = []
  const later = { teardown: (end: () => unknown) => void ends.push(end) }
  const site = createSiteOfRows()
  const origin = `http://127.0.0.1:${await listen(later, createServer(site.listener))}`
  const database = await startPostgres(later)
  const env = { DATABASE_URL: await database.database(), ORCHESTRATOR_CORS_ORIGINS: origin }
  const fleet = createFleet(folder, { env })
  /** The rows that must be on the site, and those of requests without an answer. */
  const [wanted, possible] = [new Set(site.rows()), new Set<string>()]
  /** What was removed, acknowledged. */
  const gone = new Set<string>()
  const sums = { published: 0, unanswered: 0, refused: 0, repeated: 0 }

  const send = (spec: RequestSpec): Promise<Reply> => ask({ port: fleet.port(), mayLose: true }, spec)
  const post = (path: string, session: string, body: object): Promise<Reply> =>
    send({ method: 'POST', path, body: { siteId, session, ...body } })
  /** The answer; `undefined` if there was none. */
  const answered = async (request: Promise<Reply>): Promise<Reply | undefined> => {
    try {
      return await request
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      sums.unanswered += 1
      return undefined
    }
  }

  /** What was added in earlier rounds and may go: every draft has it by now. */
  const removable: string[] = []
  /** A change of a draft, and what it adds or removes. */
  function changeOf(
    id: string,
    number: number,
  ): { readonly op: object; readonly row: string; readonly isGone?: true } {
    const config = (navLabels: object) => ({ op: 'update_site_config', patch: { navLabels } })
    const old = number % 4 === 3 ? removable.shift() : undefined
    if (old?.startsWith('label '))
      return { op: config({ [old.slice('label '.length)]: '' }), row: old, isGone: true }
    if (old !== undefined)
      return { op: { op: 'remove_page', pageSlug: old.split(' ', 1)[0] }, row: old, isGone: true }
    if (number % 4 === 2) return { op: config({ [`/${id}`]: id }), row: `label /${id}` }
    if (number % 4 === 1)
      return { op: { op: 'create_page', page: pageOfRows(`/${id}`, [id]) }, row: `/${id} ${id}` }
    const at = { pageSlug: '/', blockId: 'faq/', listKey: 'items' }
    return { op: { op: 'add_item', ...at, item: rowOf(id) }, row: `/ ${id}` }
  }

  /** Adds a row to the page of all drafts, a page or a menu label, or removes one of the latter. */
  async function change(session: string, id: string, number: number): Promise<void> {
    const { op, row, isGone } = changeOf(id, number)
    possible.add(row)
    if (isGone) wanted.delete(row)
    const reply = await answered(post('/ops', session, { ops: [op] }))
    if (!reply) return
    if (reply.status !== 200) throw new Error(`a change was refused: ${reply.text}`)
    if (isGone) gone.add(row)
    else wanted.add(row)
  }

  /** Publishes a draft once; returns whether it was answered with success. */
  async function publish(session: string): Promise<boolean> {
    const reply = await answered(post('/publish', session, {}))
    if (!reply) return false
    const { status, code } = v.parse(Published, JSON.parse(reply.text))
    if (status === 'ready') sums.published += 1
    else if (code === 'site_conflict') sums.refused += 1
    else throw new Error(`a publish failed: ${reply.text}`)
    return status === 'ready'
  }

  function check(when: string): void {
    const rows = site.rows()
    const there = new Set(rows)
    const lost = [...wanted].filter((row) => !there.has(row))
    const foreign = rows.filter((row) => gone.has(row) || (!wanted.has(row) && !possible.has(row)))
    if (lost.length > 0 || foreign.length > 0 || there.size < rows.length)
      throw new Error(
        `${when}: lost ${lost}; foreign ${foreign}; ${rows.length - there.size} rows are there twice`,
      )
  }

  async function round(number: number): Promise<void> {
    site.add(number % 2 === 0 ? '/' : `/site-${number}`, `site-${number}`)
    site.label(`/site-${number}`)
    for (const row of site.rows()) if (row.endsWith(`site-${number}`)) wanted.add(row)
    const work = Array.from({ length: publishesPerRound }, async (_, at) => {
      const session = drafts[at % drafts.length] ?? ''
      await pause(Math.random() * startedWithinMs)
      await change(session, `r${number}-${at}`, at)
      await publish(session)
    })
    await pause(startedWithinMs * (0.5 + Math.random()))
    const restarted = fleet.killOne()
    await Promise.all([...work, restarted])
    await fleet.ready()
    for (const session of drafts)
      while (!(await publish(session))) {
        sums.repeated += 1
        if (sums.repeated > 1_000) throw new Error('a publish is refused again and again')
      }
    check(`round ${number}`)
    removable.push(...[...wanted].filter((row) => !row.startsWith('/ ') && row.includes(`r${number}-`)))
  }

  try {
    await fleet.ready()
    const registration = { siteId, session: 'one', name: 'Acme', previewUrl: origin }
    read(await send({ method: 'POST', path: '/sites/register', body: registration }), v.unknown())
    for (const session of drafts)
      read(await send({ path: `/draft/slugs?${new URLSearchParams({ siteId, session })}` }), v.unknown())
    const rounds = Number(values.rounds)
    for (let number = 0; number < rounds; number++) {
      await round(number)
      console.log(
        `round ${number}: ${JSON.stringify({ ...sums, sent: site.publishes(), rows: wanted.size })}`,
      )
    }
    for (const session of drafts) {
      const query = new URLSearchParams({ siteId, session, slug: '/' })
      await publish(session)
      const { blocks } = read(await send({ path: `/draft/pages?${query}` }), List)
      const ids = blocks.flatMap(({ props }) => props.items.map(({ id }) => `/ ${id}`)).toSorted()
      const listed = site
        .rows()
        .filter((row) => row.startsWith('/ '))
        .toSorted()
      if (ids.join() !== listed.join()) throw new Error(`the draft ${session} differs from the site`)
    }
    return (
      `${rounds} rounds of ${publishesPerRound} publishes at once from ${drafts.length} drafts, a process killed in each: ` +
      `${wanted.size} rows acknowledged and on the site, each once, and none taken from it; ${sums.published} publishes, ` +
      `${sums.unanswered} requests without an answer`
    )
  } finally {
    await fleet.end()
    for (const end of ends.toReversed()) await end()
  }
})
