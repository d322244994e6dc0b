import { Agent } from 'node:http'
import { ask, Unanswered, type Way } from './ask.ts'
import { markShared } from './choose.ts'
import type { ProvenDraft } from './editors.ts'
import { request } from './traffic.ts'

/** Requests that were sent all at once. */
export interface Flight {
  /** How many have not left this process yet. */
  unsent(): number
  /** How many have no answer yet. */
  left(): number
  /** Resolves, when nothing is left, with the number of those that will never be answered. */
  readonly lost: Promise<number>
}

/** What a flight is made of. */
export interface FlightPlan {
  readonly port: number
  readonly drafts: readonly ProvenDraft[]
  /** An even number, at most 1,000: the system lets about half as many connections wait for a process. */
  readonly requests: number
}

/**
 * Gets ready to send changes and reads, half of them over connections that are open already, half over new ones.
 *
 * Whatever happens to the service meanwhile, the answers have to be those of any other day; answered changes are
 * noted in their draft.
 */
export async function prepareFlight({ port, drafts, requests }: FlightPlan): Promise<() => Flight> {
  const open = Array.from({ length: requests / 2 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  await Promise.all(open.map((agent) => ask({ port, agent }, { path: '/health' })))
  const connections = [...open.map((agent) => ({ agent })), ...open.map(() => ({}))]

  return () => {
    let [unsent, left, lost] = [requests, requests, 0]
    const exchanges = connections.map(async (connection, index) => {
      const draft = drafts[index % drafts.length]
      if (!draft) throw new Error('a flight needs a draft')
      const way = { port, ...connection, onSent: () => void unsent-- }
      try {
        await (index % 4 < 2 ? change(way, draft) : view(way, draft, index))
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error
        lost++
      }
      left--
    })
    const landed = Promise.all(exchanges)
      .finally(() => open.forEach((agent) => agent.destroy()))
      .then(() => lost)
    // Whoever awaits it later still learns of it.
    landed.catch(() => undefined)
    return { unsent: () => unsent, left: () => left, lost: landed }
  }
}

/** Changes a draft in a way that always fits, and notes the answer. */
export async function change(to: Way, draft: ProvenDraft): Promise<void> {
  const [editor] = draft.editors
  if (!editor) throw new Error('a draft needs an editor')
  const { status, text } = await request(to, editor, markShared(draft))
  if (status !== 200) throw new Error(`a change was answered with ${status}: ${text}`)
}

const views = ['/draft/slugs?', '/draft/pages?slug=/shared-a&', '/history/log?', '/draft/site-config?']

async function view(to: Way, { at }: ProvenDraft, index: number): Promise<void> {
  const path = `${views[(index >> 2) % views.length]}${new URLSearchParams(at)}`
  const { status, text } = await ask(to, { path })
  if (status !== 200) throw new Error(`${path} was answered with ${status}: ${text}`)
}
