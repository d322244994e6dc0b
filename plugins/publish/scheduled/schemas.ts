import * as v from 'valibot'
import { explained, optionally } from '../../content/plain-object.ts'
import { ActorShown } from '../../draft/port.ts'
import { Conflict, Decisions } from '../../follow/port.ts'
import { draftFields } from '../../scope/port.ts'
import { atText, Brought } from '../schemas.ts'
import { Time } from '../time.ts'

const text = v.optional(v.string())

export const Scheduled = v.pipe(
  v.object({
    id: v.string(),
    status: explained(
      v.picklist(['scheduled', 'publishing', 'failed']),
      'A failed one stays listed until it is given a new time or canceled.',
    ),
    session: v.string(),
    siteId: v.string(),
    at: explained(v.string(), 'When it is published, as an ISO 8601 time.'),
    createdAt: v.string(),
    target: v.string(),
    slugs: v.array(v.string()),
    version: optionally(v.number(), 'The version of the draft that is published.'),
    commit: optionally(v.string(), 'The snapshot that is published again.'),
    changes: optionally(
      Brought,
      'What it brings, as it was scheduled; absent without a baseline and for a snapshot.',
    ),
    error: text,
    conflicts: optionally(
      v.array(Conflict),
      'With `conflicts=1`: what the site has otherwise now, which makes it fail; `ours` is its own value.',
    ),
    draftConflicts: optionally(
      v.array(Conflict),
      'With `conflicts=1`: as `conflicts`, once the draft is published as it is now; `theirs` is the value of the draft.',
    ),
    interrupted: optionally(
      v.number(),
      'How many attempts ended without a known outcome: the log has those that were recorded.',
    ),
    actor: v.optional(ActorShown),
  }),
  v.title('Scheduled'),
  v.description('A publish that waits for its time, with the content of the moment when it was scheduled.'),
)
export type Scheduled = v.InferOutput<typeof Scheduled>
export const NewlyScheduled = v.object({ ...Scheduled.entries, status: v.literal('scheduled') })
/** The next one first. */
export const ScheduledList = v.object({ scheduled: v.array(Scheduled) })
export const ScheduledQuery = v.object({
  ...draftFields,
  conflicts: optionally(
    v.literal('1'),
    '`1` compares them with the site and the draft; absent while the site is away.',
  ),
  others: optionally(
    v.literal('1'),
    'With `conflicts=1`: `1` also lists those of other drafts of the site that would meet what this draft publishes.',
  ),
})
export const CancelQuery = v.strictObject({ ...draftFields, id: v.string() })
export const Canceled = v.object({ status: v.literal('canceled'), id: v.string() })
export const RescheduleBody = v.pipe(
  v.strictObject({
    ...CancelQuery.entries,
    at: v.optional(
      v.pipe(
        v.string(),
        v.examples(['2026-01-01T12:00:00Z']),
        Time,
        v.description(`The new time. ${atText}`),
      ),
    ),
    decide: optionally(
      Decisions,
      'Conflicts of it: `draft` keeps its value, `site` leaves that of the site and publishes the rest. Once all with the site are decided, one that has failed is tried again, without `at` now.',
    ),
    against: explained(
      v.optional(v.string()),
      'The session of the draft whose values are decided about, as `others=1` lists them; by default its own.',
    ),
  }),
  v.check(({ at, decide }) => at !== undefined || decide !== undefined, 'needs `at` or `decide`'),
)
