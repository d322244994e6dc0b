import * as v from 'valibot'
import type { Clock } from '../../kernel/index.ts'
import type { RunObserver } from '../chat/port.ts'
import type { Page } from '../content/page.ts'
import { isPlainObject } from '../content/plain-object.ts'
import type { NdjsonFile } from './ndjson-file.ts'

/** A message with the draft that it was about, and what came of it, so that it can be replayed. */
export interface Candidate {
  /** The id of the run. */
  readonly id: string
  readonly at: string
  readonly session: string
  readonly slug: string
  readonly activeBlockId?: string | undefined
  readonly activeEditablePath?: string | undefined
  /** The whole message. */
  readonly prompt: string
  /** All pages of the draft before the run. */
  readonly fixture: readonly Page[]
  readonly outcome?: string | undefined
  readonly reasonCategory?: string | undefined
  readonly plannerTier?: string | undefined
  readonly opTypes?: readonly string[] | undefined
  readonly opCount?: number | undefined
}

/** They are written here alone, and of what is read back only the age counts. */
export const Candidate = v.custom<Candidate>((value) => isPlainObject(value) && typeof value['at'] === 'string')

const minute = 60 * 1000
const day = 24 * 60 * minute
/** A run that has not ended by then is given up. */
const longestRun = 15 * minute
const pruneEvery = 60 * minute

/** Keeps messages to replay: opened when a run sees its draft, written when it ends, deleted when they are old. */
export function createCandidates({ file, most, days, clock }: {
  readonly file: NdjsonFile<Candidate>
  readonly most: number
  readonly days: number
  readonly clock: Clock
}): { readonly observe: RunObserver; stop(): void } {
  const open = new Map<string, Candidate>()
  const ageOf = ({ at }: Candidate): number => clock.now().getTime() - Date.parse(at)

  function giveUp(): void {
    for (const [id, candidate] of open) if (ageOf(candidate) >= longestRun || open.size > most) open.delete(id)
  }

  function prune(): void {
    let room = most
    void file.prune((candidate) => ageOf(candidate) < days * day && (room -= 1) >= 0)
  }

  const timers = [setInterval(giveUp, minute).unref(), setInterval(prune, pruneEvery).unref()]
  let hasPruned = false

  return {
    observe({ id, session, request, message }) {
      if (!hasPruned) prune()
      hasPruned = true
      const { activeBlockId, activeEditablePath } = request
      const at = clock.now().toISOString()
      return (event) => {
        if (event.type === 'context' && message !== '') {
          open.set(id, { id, at, session, slug: event.slug, activeBlockId, activeEditablePath, prompt: message, fixture: event.pages })
          giveUp()
        }
        if (event.type !== 'result') return
        const candidate = open.get(id)
        open.delete(id)
        if (!candidate || event.outcome === 'canceled') return
        const { plannerTier, opTypes, opCount } = event.result?.debug ?? {}
        file.append({ ...candidate, outcome: event.outcome, reasonCategory: event.category, plannerTier, opTypes, opCount })
      }
    },
    stop() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}
