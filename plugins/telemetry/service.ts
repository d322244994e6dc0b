import type * as v from 'valibot'
import type { Clock, Ids } from '../../kernel/index.ts'
import type { DraftId, Scope } from '../scope/port.ts'
import type { NdjsonFile } from './ndjson-file.ts'
import { countBy, review } from './review.ts'
import type {
  Review,
  ReviewQuery,
  Row,
  Rows,
  RowsQuery,
  Vote,
  VoteRow,
  Votes,
  VotesQuery,
} from './schemas.ts'

/** Creates the service that reads the records of chat and stores votes. */
export function createTelemetry({
  rows,
  votes,
  scope,
  clock,
  ids,
}: {
  readonly rows: Recent<Row>
  readonly votes: Recent<VoteRow>
  readonly scope: Scope
  readonly clock: Clock
  readonly ids: Ids
}) {
  return {
    async rows({
      limit,
      outcome,
      phase,
      ...wanted
    }: v.InferOutput<typeof RowsQuery>): Promise<v.InferOutput<typeof Rows>> {
      const isWanted = ofSessions(wanted, scope)
      const all = await rows.list()
      const found = all
        .filter((row) => matches(row.outcome, outcome) && matches(row.phase, phase) && isWanted(row))
        .slice(-limit)
      const byOutcome = countBy(found, (row) => row.outcome)
      const byReasonCategory = countBy(found, (row) => row.reasonCategory)
      return { totalBuffered: all.length, returned: found.length, byOutcome, byReasonCategory, rows: found }
    },
    async review({ limit, ...wanted }: v.InferOutput<typeof ReviewQuery>): Promise<Review> {
      const isWanted = ofSessions(wanted, scope)
      const results = (await rows.list()).filter((row) => row.phase === 'result' && isWanted(row))
      return review(results.slice(-limit))
    },
    /** Stores a vote, which replaces an earlier one on the same run; returns its id. */
    vote({ session, siteId, traceId, rating, note }: v.InferOutput<typeof Vote>): string {
      const id = ids.uuid()
      votes.add({
        id,
        at: clock.now().toISOString(),
        traceId,
        session: scope.key(scope.draft({ session, siteId })),
        rating,
        ...(note && { note }),
      })
      return id
    },
    async votes({
      limit,
      rating,
      traceId,
      ...wanted
    }: v.InferOutput<typeof VotesQuery>): Promise<v.InferOutput<typeof Votes>> {
      const isWanted = ofSessions(wanted, scope)
      const found = (await votes.list()).filter(
        (row) => isWanted(row) && matches(row.rating, rating) && matches(row.traceId, traceId),
      )
      return { total: found.length, rows: found.slice(-limit) }
    },
  }
}

/** True without a filter, or for the same text. */
const matches = (value: string | undefined, wanted: string | undefined): boolean =>
  wanted === undefined || value === wanted

type SessionFilter = Pick<v.InferOutput<typeof ReviewQuery>, 'session' | 'siteId'>

/**
 * Selects rows by session name or key: `dev`, `demo::dev`. A session without a site matches on every site.
 *
 * With a site, refuses an invalid session with 400 `invalid_request`, like every other route.
 */
function ofSessions(
  { session: raw = '', siteId }: SessionFilter,
  scope: Scope,
): (row: { readonly session: string }) => boolean {
  const session = raw.trim()
  if (siteId === undefined)
    return ({ session: key }) => session === '' || session === key || session === idOf(key, scope).session
  const wanted = scope.draft({ siteId, session })
  return ({ session: key }) =>
    session === '' ? idOf(key, scope).siteId === wanted.siteId : key === scope.key(wanted)
}

/** Returns the draft of a session key. */
function idOf(key: string, { defaultSiteId }: Scope): DraftId {
  const [first = '', second] = key.split('::')
  return second === undefined ? { siteId: defaultSiteId, session: first } : { siteId: first, session: second }
}

type Recent<T> = ReturnType<typeof createRecent<T>>

const minRead = 100

/**
 * Keeps the newest values in memory and in an optional file, which is read on first use. With `isSame`, a
 * value replaces an older equivalent.
 */
export function createRecent<T>({
  file,
  most,
  isSame,
}: {
  readonly file: NdjsonFile<T> | undefined
  readonly most: number
  readonly isSame?: (a: T, b: T) => boolean
}) {
  let values: T[] = []
  let loading: Promise<void> | undefined

  function put(value: T): void {
    const at = isSame ? values.findIndex((other) => isSame(other, value)) : -1
    if (at !== -1) values.splice(at, 1)
    else if (values.length === most) values.shift()
    values.push(value)
  }

  /** Values added in the meantime are newer than the values of the file. */
  async function load(): Promise<void> {
    const older = (await file?.last(Math.max(most, minRead))) ?? []
    const newer = values
    values = []
    for (const value of [...older, ...newer]) put(value)
  }
  const loaded = (): Promise<void> => (loading ??= load())

  return {
    add(value: T): void {
      void loaded()
      put(value)
      file?.append(value)
    },
    /** Oldest first. */
    async list(): Promise<readonly T[]> {
      await loaded()
      return values
    },
  }
}
