import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import * as v from 'valibot'
import { startPostgres } from '../helpers/postgres.ts'
import { ask, read } from './ask.ts'
import { step } from './choose.ts'
import { count, createDraft, type ProvenDraft } from './editors.ts'
import { createFleet, type Fleet } from './fleet.ts'
import { extra } from './pages.ts'
import { prove } from './processes.ts'
import { repeatRequests } from './resume.ts'
import { settle, type Landed } from './settle.ts'
import { stay, type Stayer } from './stay.ts'
import { request, startTraffic } from './traffic.ts'

/**
 * Lets 50 clients change drafts through three processes on one PostgreSQL, kills a random process every 2 s and
 * PostgreSQL twice. Clients repeat unanswered requests that have a key. Checks after every five kills that nothing answered
 * is lost, nothing is half there, and every event came once and in order to clients that connect again.
 */
const { values } = parseArgs({
  options: {
    changes: { type: 'string', default: '500000' },
    /** Ends earlier, after this time. */
    minutes: { type: 'string', default: '600' },
    built: { type: 'boolean' },
  },
})
const wanted = Number(values.changes)
const longestMs = Number(values.minutes) * 60_000

const draftNames = ['one', 'two', 'three', 'four', 'five']
const editorsPerDraft = 10
const betweenKillsMs = 2_000
const killsPerRound = 5
/** As many changes as can be undone on every page. */
const undoable = 40

await prove('replicas', async (folder) => {
  const ends: (() => unknown)[] = []
  const database = await startPostgres({ teardown: (end) => ends.push(end) })
  const env = { DATABASE_URL: await database.database() }
  const fleet = createFleet(folder, { env, program: values.built ? 'built' : 'sources' })
  const sums = { kills: 0, outages: 0, unanswered: 0, landed: 0 }
  const stayers = new Map<ProvenDraft, Stayer>()

  async function begin(name: string): Promise<ProvenDraft> {
    const draft = await createDraft(fleet.port(), name, editorsPerDraft)
    stayers.set(draft, stay(fleet.port, draft))
    return draft
  }

  /** Compares a draft with its model and its event stream, through any process. */
  async function check(when: string, draft: ProvenDraft): Promise<Landed> {
    const { landed, changes } = await settle(when, fleet.port(), draft)
    await stayers.get(draft)?.check(changes)
    return landed
  }

  /** Lets the clients work while processes are killed, and with `isOutage` the database too; then checks the drafts. */
  async function round(when: string, drafts: readonly ProvenDraft[], isOutage: boolean): Promise<void> {
    const traffic = startTraffic(() => ({ port: fleet.port(), mayLose: true }), drafts, { repeats: true })
    const restarted: Promise<void>[] = []
    for (let kill = 0; kill < killsPerRound; kill++) {
      await pause(betweenKillsMs)
      restarted.push(fleet.killOne())
    }
    if (isOutage) {
      await database.stop('SIGKILL')
      await pause(betweenKillsMs / 4)
      await database.start()
    }
    await Promise.all(restarted)
    await fleet.ready()
    traffic.stop()
    await traffic.over
    sums.kills += killsPerRound
    if (isOutage) sums.outages++
    await Promise.all(
      drafts.map(async (draft) => {
        sums.unanswered += draft.editors.filter(({ pending }) => pending).length
        const landed = await check(when, draft)
        sums.landed += landed.size
        await repeatRequests(fleet.port(), draft, landed)
        if (draft.acknowledged.size > 0) await check(`${when}, after repeating`, draft)
      }),
    )
  }

  try {
    await fleet.ready()
    const drafts = await Promise.all(draftNames.map(begin))
    const answered = () => count(drafts, 'answered')
    const began = performance.now()
    const isOver = () => answered() >= wanted || performance.now() - began > longestMs
    for (let number = 0; sums.outages < 2 || !isOver(); number++) {
      await round(`round ${number}`, drafts, number === 1 || number === 2)
      if (number % 10 === 9) console.log(`${answered()} changes after ${sums.kills} kills`)
    }
    const undone = await undoAll(await createDraft(fleet.port(), 'undone', editorsPerDraft), fleet)
    const connections = [...stayers.values()].reduce((sum, stayer) => sum + stayer.connections, 0)
    return (
      `${answered()} changes answered by three processes, ${sums.kills} of them killed and the database ${sums.outages} times: ` +
      `none lost, none half there, versions without gaps; ${count(drafts, 'repeated')} requests repeated under their key; ` +
      `of ${sums.unanswered} without a key or an answer ${sums.landed} had landed; ${connections} broken event streams continued without a gap; ` +
      `${undone} changes undone to the first content`
    )
  } finally {
    for (const stayer of stayers.values()) stayer.leave()
    await fleet.end()
    for (const end of ends.toReversed()) await end()
  }
})

/** Changes a draft, and undoes everything through any process, while one is killed. Returns the number of changes. */
async function undoAll(draft: ProvenDraft, fleet: Fleet): Promise<number> {
  const first = new Map(draft.model.pages)
  const traffic = startTraffic(() => ({ port: fleet.port() }), [draft])
  while (count([draft], 'answered') < undoable - editorsPerDraft) await pause(1)
  traffic.stop()
  await traffic.over
  await settle('before everything is undone', fleet.port(), draft)
  const changes = count([draft], 'answered')
  const restarted = fleet.killOne()
  const slugs = [...draft.model.pages.keys(), ...draft.editors.map(({ own }) => extra(own))]
  for (let isOver = false; !isOver;) {
    isOver = true
    for (const slug of slugs.flatMap((each) => [each, each.replace('-here', '-there')])) {
      const query = new URLSearchParams({ ...draft.at, slug })
      const reply = await ask({ port: fleet.port() }, { path: `/history/status?${query}` })
      if (!read(reply, v.object({ canUndo: v.boolean() })).canUndo) continue
      isOver = false
      const [editor] = draft.editors
      if (editor) await request({ port: fleet.port() }, editor, step(draft, 'undo', slug))
    }
  }
  await restarted
  await settle('after everything was undone', fleet.port(), draft)
  if (!isDeepStrictEqual(new Map(draft.model.pages), first))
    throw new Error('the first content did not return')
  return changes
}
