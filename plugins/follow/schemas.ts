import * as v from 'valibot'
import { described, explained, optionally } from '../content/plain-object.ts'
import { ActorShown, BaseVersion, Client } from '../draft/port.ts'
import { Session, SiteId } from '../scope/port.ts'

const Value = v.exactOptional(v.unknown())

export const Conflict = described(
  'Conflict',
  'Something that was changed in the draft and on the site; a side without the value lacks its key.',
  v.object({
    id: explained(v.string(), 'Stays the same while only the site changes.'),
    theirsVersion: explained(v.string(), 'Another one for another value of the site.'),
    slug: explained(v.string(), 'Empty for the site config.'),
    blockId: v.exactOptional(v.string()),
    path: v.exactOptional(v.string()),
    kind: v.picklist(['changed', 'removed_on_site', 'removed_here']),
    base: Value,
    /** The value of the draft. */
    ours: Value,
    /** The value of the site. */
    theirs: Value,
    at: explained(
      v.string(),
      'When the value of the site was published, or else first seen as changed, as an ISO 8601 time.',
    ),
    actor: v.exactOptional(
      explained(ActorShown, 'Who published it; absent if it did not come from a publish of this service.'),
    ),
  }),
)
export type Conflict = v.InferOutput<typeof Conflict>

/** The draft that is followed, and the site that it is compared with. */
export const target = { session: Session, siteId: SiteId, siteOrigin: v.optional(v.string()) }

export const FollowBody = v.object({
  ...target,
  confirm: optionally(
    v.boolean(),
    'Follows also a site that has lost more than half of its pages, or is on another branch.',
  ),
})
export type FollowBody = v.InferOutput<typeof FollowBody>
const Sides = { draft: 'ours', site: 'theirs' } as const
export const Decisions = v.pipe(
  v.array(
    v.strictObject({
      id: v.string(),
      take: v.pipe(
        v.picklist(['draft', 'site']),
        v.transform((side) => Sides[side]),
      ),
      seen: explained(
        v.optional(v.string()),
        'Its `theirsVersion` when it was read; by default that of the value that was shown last.',
      ),
    }),
  ),
  v.minLength(1, 'must name a conflict'),
  v.maxLength(1_000),
)
export const DecideBody = v.object({
  ...target,
  decide: explained(Decisions, 'The conflicts of `GET /publish/diff`, with the side whose value stays.'),
  baseVersion: BaseVersion,
  client: Client,
})
export type DecideBody = v.InferOutput<typeof DecideBody>

export const Followed = v.object({
  status: v.picklist(['unchanged', 'followed', 'site_unavailable', 'confirm']),
  version: v.number(),
  message: v.pipe(v.exactOptional(v.string()), v.description('Why the draft follows only with `confirm`.')),
  taken: v.array(
    v.object({
      slug: v.string(),
      blockId: v.exactOptional(v.string()),
      blockType: v.exactOptional(v.string()),
      path: v.exactOptional(v.string()),
      what: v.picklist(['added', 'removed', 'changed', 'moved']),
    }),
  ),
  conflicts: v.array(Conflict),
})
export type Followed = v.InferOutput<typeof Followed>
