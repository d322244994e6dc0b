import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { ask, read } from './ask.ts'
import { createDraft, type ProvenDraft } from './editors.ts'
import { prove } from './processes.ts'
import { repeatRequests, stepBackAndForth } from './resume.ts'
import { startService, type Service } from './service.ts'
import { settle, type Audit } from './settle.ts'
import { startTraffic } from './traffic.ts'

/** After so many rounds a fresh folder is begun; until then, what was recovered is worked on and killed again. */
const roundsPerFolder = 5
const draftNames = ['one', 'two', 'three', 'four']
const editorsPerDraft = 3
/** What is counted of every draft after every kill. */
const counted = ['unanswered', 'landed', 'repeated', 'steps'] as const

const Ready = v.object({ ok: v.literal(true), checks: v.record(v.string(), v.string()) })

/** Kills the service at random moments while editors change drafts over HTTP, and looks what they find afterwards. */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '100' } } })
const rounds = Number(values.rounds)

await prove('crash-http', async (folder) => {
  const sums = { kills: 0, answered: 0, landed: 0, unanswered: 0, repeated: 0, steps: 0 }
  for (let first = 0; first < rounds; first += roundsPerFolder) {
    const place = join(folder, String(first))
    let service = startService(place)
    try {
      const { port } = await service.ready
      const drafts = await Promise.all(draftNames.map((name) => createDraft(port, name, editorsPerDraft)))
      for (let round = first; round < Math.min(rounds, first + roundsPerFolder); round++) {
        // Most are killed while they work, every third while they have hardly begun, and once more while they start.
        const early = round % 3 === 2
        await workUntilKilled(service, drafts, early)
        sums.kills++
        if (early) {
          await killed(startService(place), Math.random() * 600)
          sums.kills++
        }
        service = startService(place)
        await lookAfter(round, { service, place, drafts })
      }
      service.kill('SIGTERM')
      const how = await service.gone
      if (how !== 0) throw new Error(`the service ended with ${how} when it was asked to stop`)
      for (const { editors } of drafts) for (const { answered } of editors) sums.answered += answered
    } finally {
      service.kill('SIGKILL')
    }
  }
  if (sums.answered === 0) throw new Error('nothing was changed, so nothing is proved')
  return (
    `${sums.kills} kills, ${sums.answered} answered changes, none lost, none half there; of ${sums.unanswered} without ` +
    `an answer ${sums.landed} had landed; ${sums.repeated} repeated under their key, ${sums.steps} undone and redone`
  )

  async function workUntilKilled(service: Service, drafts: readonly ProvenDraft[], early: boolean): Promise<void> {
    const { port } = await service.ready
    const answers = (): number => drafts.flatMap(({ editors }) => editors).reduce((sum, { answered }) => sum + answered, 0)
    const before = answers()
    const traffic = startTraffic(port, drafts)
    if (!early) while (answers() === before) await Promise.race([pause(5), traffic.over])
    await killed(service, Math.random() * 300)
    await traffic.over
  }

  /** What everybody finds once the service is there again. */
  async function lookAfter(round: number, { service, place, drafts }: { readonly service: Service; readonly place: string; readonly drafts: readonly ProvenDraft[] }): Promise<void> {
    const { port } = await service.ready
    const { checks } = read(await ask({ port }, { path: '/readyz' }), Ready)
    if (Object.values(checks).some((check) => check !== 'ok')) throw new Error(`round ${round}: not ready: ${JSON.stringify(checks)}`)
    checkFile(place)
    const tallies = await Promise.all(drafts.map((draft) => comeBack(round, port, draft)))
    for (const tally of tallies) for (const name of counted) sums[name] += tally[name]
  }
})

async function killed(service: Service, after: number): Promise<void> {
  await Promise.race([pause(after), service.gone])
  service.kill('SIGKILL')
  const how = await service.gone
  if (how !== 'SIGKILL' || service.faults().length > 0) {
    throw new Error(`the service ended with ${how} by itself, or failed: ${service.faults().join('\n')}`)
  }
}

/** Looks what became of a draft, repeats what got no answer, goes on with it, and looks again. */
async function comeBack(round: number, port: number, draft: ProvenDraft): Promise<Readonly<Record<(typeof counted)[number], number>>> {
  const unanswered = draft.editors.filter(({ pending }) => pending).length
  const landed = await settled(round, port, draft)
  const repeated = await repeatRequests(port, draft, landed)
  const steps = await stepBackAndForth(port, draft)
  await settled(round, port, draft)
  return { unanswered, landed: landed.size, repeated, steps }
}

async function settled(round: number, port: number, draft: ProvenDraft): Promise<Audit['landed']> {
  const { lost, wrong, landed } = await settle(port, draft)
  if (lost > 0 || wrong.length > 0) throw new Error(`round ${round}: ${lost} answered changes lost; ${wrong.join('; ')}`)
  return landed
}

function checkFile(place: string): void {
  const database = new DatabaseSync(join(place, 'orchestrator.db'), { readOnly: true })
  const integrity = String(database.prepare('pragma integrity_check').get()?.['integrity_check'])
  database.close()
  if (integrity !== 'ok') throw new Error(integrity)
}
