import type * as v from 'valibot'
import type { Clock, Ids } from '../../kernel/index.ts'
import type { DraftId, Scope } from '../scope/port.ts'
import type { Recent } from './recent.ts'
import { countBy, review } from './review.ts'
import type { Review, ReviewQuery, Row, Rows, RowsQuery, Vote, VoteRow, Votes, VotesQuery } from './schemas.ts'

export interface TelemetryParts {
  readonly rows: Recent<Row>
  readonly votes: Recent<VoteRow>
  readonly scope: Scope
  readonly clock: Clock
  readonly ids: Ids
}

/** What was kept of chat, for whoever asks, and the votes of people on it. */
export interface Telemetry {
  rows(query: v.InferOutput<typeof RowsQuery>): Promise<v.InferOutput<typeof Rows>>
  review(query: v.InferOutput<typeof ReviewQuery>): Promise<Review>
  /** Keeps a vote, in place of an earlier one on the same run; gives its id. */
  vote(vote: v.InferOutput<typeof Vote>): string
  votes(query: v.InferOutput<typeof VotesQuery>): Promise<v.InferOutput<typeof Votes>>
}

/** Makes what answers questions about chat. */
export function createTelemetry({ rows, votes, scope, clock, ids }: TelemetryParts): Telemetry {
  return {
    async rows({ limit, outcome, phase, ...wanted }) {
      const isWanted = ofSessions(wanted, scope)
      const all = await rows.list()
      const found = all.filter((row) => fits(row.outcome, outcome) && fits(row.phase, phase) && isWanted(row)).slice(-limit)
      const byOutcome = countBy(found, (row) => row.outcome)
      const byReasonCategory = countBy(found, (row) => row.reasonCategory)
      return { totalBuffered: all.length, returned: found.length, byOutcome, byReasonCategory, rows: found }
    },
    async review({ limit, ...wanted }) {
      const isWanted = ofSessions(wanted, scope)
      const results = (await rows.list()).filter((row) => row.phase === 'result' && isWanted(row))
      return review(results.slice(-limit))
    },
    vote({ session, siteId, traceId, rating, note }) {
      const id = ids.uuid()
      votes.add({ id, at: clock.now().toISOString(), traceId, session: scope.key(scope.draft({ session, siteId })), rating, ...(note && { note }) })
      return id
    },
    async votes({ limit, rating, traceId, ...wanted }) {
      const isWanted = ofSessions(wanted, scope)
      const found = (await votes.list()).filter((row) => isWanted(row) && fits(row.rating, rating) && fits(row.traceId, traceId))
      return { total: found.length, rows: found.slice(-limit) }
    },
  }
}

/** True where nothing is wanted, or this very text. */
const fits = (value: string | undefined, wanted: string | undefined): boolean => wanted === undefined || value === wanted

/** Which sessions somebody wants to see; all of them where nothing is said. */
export interface Wanted {
  /** A session as a client names it, or the whole key that rows have: `dev`, `demo::dev`. */
  readonly session?: string | undefined
  readonly siteId?: string | undefined
}

/**
 * Tells rows of the wanted sessions by their keys. A session without a site is meant on every site.
 *
 * Beside a site, refuses with 400 `invalid_request` what is no session of it, as every other route does.
 */
export function ofSessions({ session: raw = '', siteId }: Wanted, scope: Scope): (row: { readonly session: string }) => boolean {
  const session = raw.trim()
  if (siteId === undefined) return ({ session: key }) => session === '' || session === key || session === idOf(key, scope).session
  const wanted = scope.draft({ siteId, session })
  return ({ session: key }) => (session === '' ? idOf(key, scope).siteId === wanted.siteId : key === scope.key(wanted))
}

/** Which draft has this key. */
function idOf(key: string, { defaultSiteId }: Scope): DraftId {
  const [first = '', second] = key.split('::')
  return second === undefined ? { siteId: defaultSiteId, session: first } : { siteId: first, session: second }
}
