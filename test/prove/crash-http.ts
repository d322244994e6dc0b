import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { ask, read } from './ask.ts'
import { count, createDraft, type ProvenDraft } from './editors.ts'
import { prove } from './processes.ts'
import { repeatRequests, stepBackAndForth } from './resume.ts'
import { startService, type Service } from './service.ts'
import { settle } from './settle.ts'
import { startTraffic } from './traffic.ts'

/** Rounds per folder; each round continues with the recovered data of the one before. */
const roundsPerFolder = 5
const draftNames = ['one', 'two', 'three', 'four']
const editorsPerDraft = 3
/** The counts per draft after every kill. */
const counted = ['unanswered', 'landed', 'repeated', 'steps'] as const
type Tally = Readonly<Record<(typeof counted)[number], number>>

const Ready = v.object({ ok: v.literal(true), checks: v.record(v.string(), v.literal('ok')) })

/** Kills the service at random moments while editors change drafts over HTTP, and checks the recovered drafts. */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '100' } } })
const rounds = Number(values.rounds)

await prove('crash-http', async (folder) => {
  const sums = { kills: 0, answered: 0, unanswered: 0, landed: 0, repeated: 0, steps: 0 }
  for (let first = 0; first < rounds; first += roundsPerFolder) {
    const place = join(folder, String(first))
    let service = startService(place)
    try {
      const { port } = await service.ready
      const drafts = await Promise.all(draftNames.map((name) => createDraft(port, name, editorsPerDraft)))
      for (let round = first; round < Math.min(rounds, first + roundsPerFolder); round++) {
        // Two of three are killed under load, the third soon after its start, and the next one during its start.
        const isEarly = round % 3 === 2
        await workUntilKilled(service, drafts, isEarly)
        if (isEarly) await killed(startService(place), Math.random() * 600)
        sums.kills += isEarly ? 2 : 1
        service = startService(place)
        const { port } = await service.ready
        read(await ask({ port }, { path: '/readyz' }), Ready)
        checkFile(place)
        const tallies = await Promise.all(drafts.map((draft) => resume(`round ${round}`, port, draft)))
        for (const tally of tallies) for (const name of counted) sums[name] += tally[name]
      }
      service.kill('SIGTERM')
      const how = await service.gone
      if (how !== 0) throw new Error(`the service exited with ${how} after SIGTERM`)
      if (count(drafts, 'refused') > 0) throw new Error('changes were refused although the disk was not full')
      sums.answered += count(drafts, 'answered')
    } finally {
      service.kill('SIGKILL')
      await service.gone
    }
  }
  if (sums.answered === 0) throw new Error('no change was answered, so the result proves nothing')
  return (
    `${sums.kills} kills, ${sums.answered} answered changes, none lost, none half there; ` +
    `of ${sums.unanswered} without an answer ${sums.landed} had landed; ` +
    `${sums.repeated} repeated under their key, ${sums.steps} undone and redone`
  )
})

type Drafts = readonly ProvenDraft[]

async function workUntilKilled(service: Service, drafts: Drafts, isEarly: boolean): Promise<void> {
  const { port } = await service.ready
  const before = count(drafts, 'answered')
  const traffic = startTraffic(() => ({ port }), drafts)
  if (!isEarly) while (count(drafts, 'answered') === before) await Promise.race([pause(5), traffic.over])
  await killed(service, Math.random() * 300)
  traffic.stop()
  await traffic.over
}

async function killed(service: Service, after: number): Promise<void> {
  await Promise.race([pause(after), service.gone])
  service.kill('SIGKILL')
  const how = await service.gone
  if (how === 'SIGKILL' && service.faults().length === 0) return
  throw new Error(`the service exited with ${how}, or logged errors: ${service.faults().join('\n')}`)
}

/** Checks a recovered draft, repeats unanswered requests, makes changes, and checks it again. */
async function resume(when: string, port: number, draft: ProvenDraft): Promise<Tally> {
  const unanswered = draft.editors.filter(({ pending }) => pending).length
  const { landed } = await settle(when, port, draft)
  const repeated = await repeatRequests(port, draft, landed)
  if (draft.acknowledged.size > 0) await settle(`${when}, after repeating`, port, draft)
  const steps = await stepBackAndForth(port, draft)
  await settle(`${when}, after undoing`, port, draft)
  return { unanswered, landed: landed.size, repeated, steps }
}

function checkFile(place: string): void {
  const database = new DatabaseSync(join(place, 'orchestrator.db'), { readOnly: true })
  const integrity = String(database.prepare('pragma integrity_check').get()?.['integrity_check'])
  database.close()
  if (integrity !== 'ok') throw new Error(integrity)
}
