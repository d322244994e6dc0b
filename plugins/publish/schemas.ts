import * as v from 'valibot'
import { ContentDiff } from '../content/diff/index.ts'
import { limitQuery } from '../content/limit.ts'
import { Page } from '../content/page.ts'
import { described, explained } from '../content/plain-object.ts'
import { Redirect } from '../content/redirects.ts'
import { ActorShown, BaseVersion, Client } from '../draft/port.ts'
import { Conflict, Decisions, target } from '../follow/port.ts'
import { describedBy } from '../../kernel/index.ts'
import { Session, SiteId } from '../scope/port.ts'
import { Time } from './time.ts'

const text = v.optional(v.string())
const texts = v.optional(v.array(v.string()))

const deployment = {
  /** HTTP status of the site or the hook. */
  deployStatus: v.optional(v.number()),
  deployResponse: text,
  inspectUrl: text,
  deploymentId: text,
  /** Of a deployment, in upper case. READY, SUCCEEDED, ERROR, FAILED and CANCELED are final. */
  vercelState: text,
}

/** The facts that a target may report about a publish. */
export const PublishFacts = v.object({
  ok: v.optional(v.boolean()),
  /** The version of a draft that is no longer the one to publish. */
  currentVersion: v.optional(v.number()),
  /** For people. */
  error: text,
  /** The code, in snake_case. */
  code: text,
  /** The remedy. */
  reason: text,
  message: text,
  details: texts,
  branch: text,
  commitSha: text,
  ...deployment,
  notes: texts,
  unsupported: texts,
  /** What was changed in the draft and on the site. */
  conflicts: v.optional(v.array(Conflict)),
})
export type PublishFacts = v.InferOutput<typeof PublishFacts>

/** Facts about the deployment that a target started. */
export const DeploymentFacts = v.object({ ...deployment, deploymentUrl: text })
export type DeploymentFacts = v.InferOutput<typeof DeploymentFacts>

/** The result of a publish. The answer has the fields of `body` besides `status`, `session` and `slugs`. */
export const PublishOutcome = v.object({
  ok: v.boolean(),
  /** HTTP status of the answer to the client. */
  httpStatus: v.picklist([200, 400, 409, 500, 502]),
  status: v.picklist(['ready', 'triggered', 'failed']),
  /** The published slugs, if they differ from the draft's. */
  slugs: texts,
  body: PublishFacts,
  tracker: DeploymentFacts,
  /** The id of the published content; by default the id of the snapshot. */
  commit: text,
  /** The sentence of the log for a failure, which people read later; by default that of the answer. */
  logged: text,
})
// An interface, so that errors of the compiler name it instead of its fields.
export interface PublishOutcome extends v.InferOutput<typeof PublishOutcome> {}

const RequiredSite = v.pipe(v.string(), v.trim(), v.nonEmpty('siteId is required'), v.examples(['demo']))

export const ContentQuery = v.object({
  siteId: RequiredSite,
  session: Session,
  publication: v.optional(
    explained(
      v.string(),
      'The id of a publish, which a deploy hook gets. By default the newest publish of the draft that is under way, ' +
        'else the draft.',
    ),
  ),
})
export const Content = v.object({
  session: v.string(),
  /** Home first. */
  slugs: v.array(v.string()),
  pages: explained(
    v.array(Page),
    'With the entries of the site that cannot be read at their places, as the site gave them.',
  ),
  siteConfig: v.record(v.string(), v.unknown()),
  redirects: explained(v.optional(v.array(Redirect)), 'Former addresses; absent if the site takes none.'),
  generatedAt: v.string(),
})

export const DiffRequest = v.object({
  ...target,
  baseVersion: BaseVersion,
  remove: explained(
    v.optional(v.array(v.string())),
    'Lists these entries of `unreadable` as removed pages, as a publish with `remove` would do it.',
  ),
})
export type DiffRequest = v.InferOutput<typeof DiffRequest>
export const DiffQuery = v.object({
  ...target,
  baseVersion: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'must be a version of the draft'), v.transform(Number)),
  ),
})

export const PublishDiff = described(
  'PublishDiff',
  'The changes of a publish, and what was changed on the site as well.',
  v.object({
    ...ContentDiff.entries,
    conflicts: v.array(Conflict),
    notes: v.exactOptional(
      explained(v.array(v.string()), 'What of the site counts as not changed, and why.'),
    ),
  }),
)

const AllowDelete = explained(v.boolean(), 'Only `true` says that the site may end up empty.')

/** In upper or lower case, because it is returned as received. */
export const Commit = v.pipe(
  v.string(),
  v.regex(/^\s*[0-9a-f]{7,40}\s*$/i, 'must be 7 to 40 hexadecimal digits'),
)

const atText = 'An ISO 8601 time within a year.'

export const PublishBody = v.pipe(
  v.strictObject({
    ...DiffRequest.entries,
    allowDelete: v.optional(v.pipe(v.unknown(), describedBy(AllowDelete))),
    at: v.optional(
      explained(Time, `Publishes the present content then, whatever is edited meanwhile. ${atText}`),
    ),
    commit: v.optional(
      explained(
        Commit,
        'Publishes this snapshot of the site again. The drafts of the site take that over, except for their own changes.',
      ),
    ),
    pages: v.optional(
      v.pipe(
        v.array(v.string()),
        v.minLength(1, 'must name a page'),
        v.description(
          'Publishes only the changes of these pages; removed pages by the slug that they had, renamed ones by either.',
        ),
      ),
    ),
    siteConfig: v.optional(
      explained(v.boolean(), 'With `pages`: publishes the changes of the site settings as well.'),
    ),
    remove: v.optional(
      v.pipe(
        v.array(v.string()),
        v.minLength(1, 'must name an entry'),
        v.description(
          'Deletes entries of the site that cannot be read, by the slugs in `unreadable` of the publish diff, or the `name` of those without one. They are in no draft, so no undo brings them back.',
        ),
      ),
    ),
    overwrite: v.optional(
      explained(
        v.boolean(),
        'Decides for the draft what was changed on the site as well, and replaces a site that cannot be read.',
      ),
    ),
    client: Client,
  }),
  v.check(
    ({ baseVersion, commit }) => baseVersion === undefined || commit === undefined,
    'baseVersion is the version of a draft, and commit publishes a snapshot; send one of them',
  ),
  v.check(
    ({ pages, commit }) => pages === undefined || commit === undefined,
    'pages are of a draft, and commit publishes a snapshot; send one of them',
  ),
  v.check(({ at, remove }) => at === undefined || remove === undefined, 'remove is of a publish without at'),
)

export const PublishAnswer = v.pipe(
  v.object({
    status: PublishOutcome.entries.status,
    session: v.string(),
    slugs: v.array(v.string()),
    ...PublishFacts.entries,
  }),
  v.title('PublishAnswer'),
  v.description('The result of a publish; further fields depend on the target.'),
)
export type PublishAnswer = v.InferOutput<typeof PublishAnswer>

export const StatusQuery = v.object({ session: Session, siteId: SiteId })
export const Tracker = v.object({
  session: v.string(),
  /** `triggered` until the site is known to be ready. The state of a deployment is in `vercelState`. */
  status: v.picklist(['ready', 'triggered', 'failed']),
  startedAt: v.string(),
  updatedAt: v.string(),
  slugs: v.array(v.string()),
  ...DeploymentFacts.entries,
  lastCheckError: text,
})
export type Tracker = v.InferOutput<typeof Tracker>

/** How many changes of the draft a publish lists. */
export const mostEdits = 20

/** A change of the draft in a publish, as the history had it. */
const Edit = v.object({
  version: v.number(),
  at: v.string(),
  summary: v.string(),
  source: v.string(),
  label: v.optional(v.string()),
  restored: v.optional(v.number()),
  slugs: v.array(v.string()),
  actor: ActorShown,
})
const Brought = v.object({
  added: v.array(v.string()),
  modified: v.array(v.string()),
  removed: v.array(v.string()),
  titles: v.optional(v.record(v.string(), v.string())),
  fields: v.number(),
  siteConfigFields: v.number(),
  edits: v.optional(
    explained(
      v.array(Edit),
      `The newest ${mostEdits} changes of the draft in it that no publish before has brought, newest first.`,
    ),
  ),
  editCount: v.optional(explained(v.number(), 'How many such changes the log still had.')),
})

export const LogQuery = v.object({ session: Session, siteId: SiteId, limit: limitQuery(50, 100) })
export const LogRow = v.object({
  id: v.string(),
  /** The name of the draft for clients. */
  session: v.string(),
  siteId: v.string(),
  target: v.string(),
  status: v.picklist(['triggered', 'success', 'failed']),
  at: v.string(),
  updatedAt: v.string(),
  summary: v.string(),
  pageCount: v.number(),
  slugs: v.array(v.string()),
  commit: text,
  /** The id of the snapshot of a successful publish; `commit` may be that of a repository. */
  snapshot: text,
  /** The scheduled publish that this was. */
  scheduledId: text,
  /** The snapshot that was published again. */
  rolledBackTo: text,
  deploymentId: text,
  deploymentUrl: text,
  inspectUrl: text,
  error: text,
  notes: explained(
    texts,
    'Pages of which the site does not show what was published: it may be behind, or they did not arrive. Updated when the site is read.',
  ),
  /** The number of pages; absent without a baseline. */
  diffSummary: v.optional(v.object({ added: v.number(), removed: v.number(), changed: v.number() })),
  version: v.optional(explained(v.number(), 'The version of the draft that was published.')),
  changes: v.optional(
    explained(
      Brought,
      'What a successful publish brought: slugs and titles of pages, and how many values; absent without a baseline.',
    ),
  ),
  followed: v.optional(
    explained(
      v.object({ pages: v.array(v.string()), siteConfig: v.boolean() }),
      'What the site had on its own since the publish of this draft before, which stayed; absent for nothing.',
    ),
  ),
  carried: explained(
    v.optional(v.number()),
    'How many entries of the site are in no draft and stayed as they are; absent for none.',
  ),
  actor: v.optional(ActorShown),
})
export type LogRow = v.InferOutput<typeof LogRow>
/** Oldest first. */
export const Log = v.object({ entries: v.array(LogRow) })

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
    version: v.optional(explained(v.number(), 'The version of the draft that is published.')),
    commit: v.optional(explained(v.string(), 'The snapshot that is published again.')),
    changes: v.optional(
      explained(
        Brought,
        'What it brings, as it was scheduled; absent without a baseline and for a snapshot.',
      ),
    ),
    error: text,
    conflicts: v.optional(
      explained(
        v.array(Conflict),
        'With `conflicts=1`: what the site has otherwise now, which makes it fail; `ours` is its own value.',
      ),
    ),
    draftConflicts: v.optional(
      explained(
        v.array(Conflict),
        'With `conflicts=1`: as `conflicts`, once the draft is published as it is now; `theirs` is the value of the draft.',
      ),
    ),
    interrupted: v.optional(
      explained(
        v.number(),
        'How many attempts ended without a known outcome: the log has those that were recorded.',
      ),
    ),
    actor: v.optional(ActorShown),
  }),
  v.title('Scheduled'),
  v.description('A publish that waits for its time, with the content of the moment when it was scheduled.'),
)
export type Scheduled = v.InferOutput<typeof Scheduled>
/** A publish that was just scheduled. */
export const NewlyScheduled = v.object({ ...Scheduled.entries, status: v.literal('scheduled') })
/** The next one first. */
export const ScheduledList = v.object({ scheduled: v.array(Scheduled) })
const scheduledOf = { session: Session, siteId: SiteId }
export const ScheduledQuery = v.object({
  ...scheduledOf,
  conflicts: v.optional(
    explained(
      v.literal('1'),
      '`1` compares them with the site and the draft; absent while the site is away.',
    ),
  ),
  others: v.optional(
    explained(
      v.literal('1'),
      'With `conflicts=1`: `1` also lists those of other drafts of the site that would meet what this draft publishes.',
    ),
  ),
})
export const CancelQuery = v.strictObject({ ...scheduledOf, id: v.string() })
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
    decide: v.optional(
      explained(
        Decisions,
        'Conflicts of it: `draft` keeps its value, `site` leaves that of the site and publishes the rest. Once all with the site are decided, one that has failed is tried again, without `at` now.',
      ),
    ),
    against: explained(
      v.optional(v.string()),
      'The session of the draft whose values are decided about, as `others=1` lists them; by default its own.',
    ),
  }),
  v.check(({ at, decide }) => at !== undefined || decide !== undefined, 'needs `at` or `decide`'),
)
