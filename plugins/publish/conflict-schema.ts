import * as v from 'valibot'
import { ContentDiff } from '../content/diff/index.ts'
import { described } from '../content/plain-object.ts'
import { ActorShown } from '../draft/port.ts'

const Value = v.exactOptional(v.unknown())

export const Conflict = described(
  'Conflict',
  'Something that was changed in the draft and on the site; a side without the value lacks its key.',
  v.object({
    id: v.pipe(v.string(), v.description('Stays the same while only the site changes.')),
    theirsVersion: v.pipe(v.string(), v.description('Another one for another value of the site.')),
    slug: v.pipe(v.string(), v.description('Empty for the site config.')),
    blockId: v.exactOptional(v.string()),
    path: v.exactOptional(v.string()),
    kind: v.picklist(['changed', 'removed_on_site', 'removed_here']),
    base: Value,
    /** The value of the draft. */
    ours: Value,
    /** The value of the site. */
    theirs: Value,
    at: v.pipe(
      v.string(),
      v.description(
        'When the value of the site was published, or else first seen as changed, as an ISO 8601 time.',
      ),
    ),
    actor: v.exactOptional(
      v.pipe(
        ActorShown,
        v.description('Who published it; absent if it did not come from a publish of this service.'),
      ),
    ),
  }),
)
export type Conflict = v.InferOutput<typeof Conflict>

export const PublishDiff = described(
  'PublishDiff',
  'The changes of a publish, and what was changed on the site as well.',
  v.object({
    ...ContentDiff.entries,
    conflicts: v.array(Conflict),
    notes: v.exactOptional(
      v.pipe(v.array(v.string()), v.description('What of the site counts as not changed, and why.')),
    ),
  }),
)
