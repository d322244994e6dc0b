import * as v from 'valibot'
import type { Clock } from '../../kernel/index.ts'
import type { RunObserver } from '../chat/port.ts'
import type { Page } from '../content/page.ts'
import { isPlainObject } from '../content/plain-object.ts'
import type { NdjsonFile } from './ndjson-file.ts'
import type { TelemetryRow } from './schemas.ts'

type RowField = 'id' | 'at' | 'session' | 'outcome' | 'reasonCategory' | 'plannerTier' | 'opTypes' | 'opCount'

/** A message with its draft and its outcome, for replay. */
export interface Candidate extends Readonly<Pick<TelemetryRow, RowField>> {
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

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** The maximum duration of a run; longer runs are dropped. */
const maxRunMs = 15 * minuteMs
const pruneEveryMs = 60 * minuteMs

/** Records messages for replay: written at the end of their run, and deleted when they are old or too many. */
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
  const ageOf = ({ at }: Pick<Candidate, 'at'>): number => clock.now().getTime() - Date.parse(at)

  function prune(): void {
    let room = most
    void file.prune((candidate) => ageOf(candidate) < days * dayMs && (room -= 1) >= 0)
  }
  const timer = setInterval(prune, pruneEveryMs).unref()
  let hasPruned = false

  return {
    observe({ id, session, request: { activeBlockId, activeEditablePath }, message: prompt }) {
      if (!hasPruned) prune()
      hasPruned = true
      const begun = { id, at: clock.now().toISOString(), session }
      let draft: Pick<Candidate, 'slug' | 'fixture'> | undefined
      return (event) => {
        if (event.type === 'context') draft = { slug: event.slug, fixture: event.pages }
        if (event.type !== 'result' || event.outcome === 'canceled') return
        if (!draft || prompt === '' || ageOf(begun) >= maxRunMs) return
        const { plannerTier, opTypes, opCount } = event.result?.debug ?? {}
        const { slug, fixture } = draft
        const asked = { slug, activeBlockId, activeEditablePath, prompt, fixture }
        const ended = {
          outcome: event.outcome,
          reasonCategory: event.category,
          plannerTier,
          opTypes,
          opCount,
        }
        file.append({ ...begun, ...asked, ...ended })
      }
    },
    stop: () => clearInterval(timer),
  }
}
