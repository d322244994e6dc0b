import * as v from 'valibot'
import type { Clock } from '../../kernel/index.ts'
import type { RunObserver } from '../chat/port.ts'
import type { Page } from '../content/page.ts'
import { isPlainObject } from '../content/plain-object.ts'
import type { NdjsonFile } from './ndjson-file.ts'
import type { Row } from './schemas.ts'

type RowField = 'id' | 'at' | 'session' | 'outcome' | 'reasonCategory' | 'plannerTier' | 'opTypes' | 'opCount'

/** A message with its draft and its outcome, for replay. */
export interface Candidate extends Readonly<Pick<Row, RowField>> {
  readonly slug: string
  readonly activeBlockId?: string | undefined
  readonly activeEditablePath?: string | undefined
  /** The complete message. */
  readonly prompt: string
  /** All pages of the draft before the run. */
  readonly fixture: readonly Page[]
}

/** Only the age of a stored candidate is ever read. */
export const Candidate = v.custom<Candidate>(
  (value) => isPlainObject(value) && typeof value['at'] === 'string',
)

const minute = 60 * 1000
const day = 24 * 60 * minute
/** The maximum duration of a run; longer runs are dropped. */
const maxRunMs = 15 * minute
const pruneEvery = 60 * minute

/** Records messages for replay: collected when a run reads its draft, written at its end, later deleted. */
export function createCandidates({
  file,
  most,
  days,
  clock,
}: {
  readonly file: NdjsonFile<Candidate>
  readonly most: number
  readonly days: number
  readonly clock: Clock
}): { readonly observe: RunObserver; stop(): void } {
  const open = new Map<string, Candidate>()
  const ageOf = ({ at }: Candidate): number => clock.now().getTime() - Date.parse(at)

  function dropStale(): void {
    for (const [id, candidate] of open) if (ageOf(candidate) >= maxRunMs || open.size > most) open.delete(id)
  }

  function prune(): void {
    let room = most
    void file.prune((candidate) => ageOf(candidate) < days * day && (room -= 1) >= 0)
  }

  const timers = [setInterval(dropStale, minute).unref(), setInterval(prune, pruneEvery).unref()]
  let hasPruned = false

  return {
    observe({ id, session, request, message }) {
      if (!hasPruned) prune()
      hasPruned = true
      const { activeBlockId, activeEditablePath } = request
      const at = clock.now().toISOString()
      return (event) => {
        if (event.type === 'context' && message !== '') {
          open.set(id, {
            id,
            at,
            session,
            slug: event.slug,
            activeBlockId,
            activeEditablePath,
            prompt: message,
            fixture: event.pages,
          })
          dropStale()
        }
        if (event.type !== 'result') return
        const candidate = open.get(id)
        open.delete(id)
        if (!candidate || event.outcome === 'canceled') return
        const { plannerTier, opTypes, opCount } = event.result?.debug ?? {}
        file.append({
          ...candidate,
          outcome: event.outcome,
          reasonCategory: event.category,
          plannerTier,
          opTypes,
          opCount,
        })
      }
    },
    stop() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}
