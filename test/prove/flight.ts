import { Agent } from 'node:http'
import { ask, Unanswered, type RequestTarget } from './ask.ts'
import { markShared } from './choose.ts'
import type { ProvenDraft } from './editors.ts'
import { request } from './traffic.ts'

/** Concurrent requests. */
export interface Flight {
  /** Number of requests not yet written. */
  unsent(): number
  /** Number of requests without a response so far. */
  left(): number
  /** Resolves when none are left, with the number that got no response. */
  readonly lost: Promise<number>
}

/** Options of a flight. */
export interface FlightPlan {
  readonly port: number
  readonly drafts: readonly ProvenDraft[]
  /** An even number, at most 1,000: the system lets about half as many connections wait for a process. */
  readonly requests: number
}

/**
 * Prepares changes and reads, half of them over open connections, half over new ones.
 *
 * Throws on any response but 200; answered changes are recorded in their draft.
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
    // Prevents an unhandled rejection before it is awaited.
    landed.catch(() => undefined)
    return { unsent: () => unsent, left: () => left, lost: landed }
  }
}

/** Sends a change that is always valid, and records the response. */
export async function change(to: RequestTarget, draft: ProvenDraft): Promise<void> {
  const [editor] = draft.editors
  if (!editor) throw new Error('a draft needs an editor')
  const { status, text } = await request(to, editor, markShared(draft))
  if (status !== 200) throw new Error(`a change was answered with ${status}: ${text}`)
}

const views = ['/draft/slugs?', '/draft/pages?slug=/shared-a&', '/history/log?', '/draft/site-config?']

async function view(to: RequestTarget, { at }: ProvenDraft, index: number): Promise<void> {
  const path = `${views[(index >> 2) % views.length]}${new URLSearchParams(at)}`
  const { status, text } = await ask(to, { path })
  if (status !== 200) throw new Error(`${path} was answered with ${status}: ${text}`)
}
