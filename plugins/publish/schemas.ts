import * as v from 'valibot'
import { ContentDiff } from '../content/diff/index.ts'
import { limitQuery } from '../content/limit.ts'
import { Page } from '../content/page.ts'
import { described, explained, optionally } from '../content/plain-object.ts'
import { Redirect } from '../content/redirects.ts'
import { ActorShown, BaseVersion, Client, ofChange, ShownEntry } from '../draft/port.ts'
import { Conflict, target } from '../follow/port.ts'
import { describedBy } from '../../kernel/index.ts'
import { draftFields, Session } from '../scope/port.ts'
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
  publication: optionally(
    v.string(),
    'The id of a publish, which a deploy hook gets. By default the newest publish of the draft that is under way, ' +
      'else the draft.',
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

const whetherShown =
  'Whether a person sees the conflicts, whose values are decided by typing them again; by default one does.'
export const DiffRequest = v.object({
  ...target,
  baseVersion: BaseVersion,
  shown: explained(v.optional(v.boolean()), whetherShown),
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
  shown: explained(
    v.optional(
      v.pipe(
        v.picklist(['true', 'false']),
        v.transform((each) => each === 'true'),
      ),
    ),
    whetherShown,
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

export const ChangedFile = v.object({
  path: explained(v.string(), 'From the folder of the website.'),
  slug: explained(v.string(), 'The slug of its page, of a picture that of the first page which uses it.'),
  from: optionally(v.string(), 'Where the file is now, if it moves.'),
  changed: optionally(
    v.number(),
    'How many of its lines are changed, added or removed; absent if they are not compared.',
  ),
  hunks: explained(
    v.array(v.object({ oldStart: v.number(), newStart: v.number(), lines: v.array(v.string()) })),
    'Its changed lines with those around them, as a unified diff has them: each begins with `-`, `+`, or a blank.',
  ),
  note: optionally(v.string(), 'Why it has no lines, or not all of them.'),
})
export type ChangedFile = v.InferOutput<typeof ChangedFile>

export const ChangedFiles = described(
  'ChangedFiles',
  'The files of a website that a publish would write; none if its content is in no files of its own.',
  v.object({
    files: v.array(ChangedFile),
    refused: optionally(v.string(), 'Why they cannot be written, as a publish would answer it.'),
    branch: optionally(
      v.string(),
      'The branch on which a publish with `asCommit` would be a commit; absent if there is none.',
    ),
  }),
)
export type ChangedFiles = v.InferOutput<typeof ChangedFiles>

const AllowDelete = explained(v.boolean(), 'Only `true` says that the site may end up empty.')

/** In upper or lower case, because it is returned as received. */
export const Commit = v.pipe(
  v.string(),
  v.regex(/^\s*[0-9a-f]{7,40}\s*$/i, 'must be 7 to 40 hexadecimal digits'),
)

export const atText = 'An ISO 8601 time within a year.'

export const PublishBody = v.pipe(
  v.strictObject({
    ...v.omit(DiffRequest, ['shown']).entries,
    allowDelete: v.optional(v.pipe(v.unknown(), describedBy(AllowDelete))),
    at: optionally(Time, `Publishes the present content then, whatever is edited meanwhile. ${atText}`),
    commit: optionally(
      Commit,
      'Publishes this snapshot of the site again. The drafts of the site take that over, except for their own changes.',
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
    siteConfig: optionally(v.boolean(), 'With `pages`: publishes the changes of the site settings as well.'),
    remove: v.optional(
      v.pipe(
        v.array(v.string()),
        v.minLength(1, 'must name an entry'),
        v.description(
          'Deletes entries of the site that cannot be read, by the slugs in `unreadable` of the publish diff, or the `name` of those without one. They are in no draft, so no undo brings them back.',
        ),
      ),
    ),
    overwrite: optionally(
      v.boolean(),
      'Decides for the draft what was changed on the site as well, and replaces a site that cannot be read.',
    ),
    asCommit: optionally(
      v.boolean(),
      'Makes the publish a commit of its lines in the repository of a website whose content is files. Nothing is pushed.',
    ),
    client: Client,
  }),
  v.check(({ at, asCommit }) => at === undefined || !asCommit, 'asCommit is of a publish without at'),
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

export const DraftQuery = v.object(draftFields)
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
export const Edit = v.pick(ShownEntry, [...ofChange, 'slugs'])
export const Brought = v.object({
  added: v.array(v.string()),
  modified: v.array(v.string()),
  removed: v.array(v.string()),
  titles: v.optional(v.record(v.string(), v.string())),
  fields: v.number(),
  siteConfigFields: v.number(),
  edits: optionally(
    v.array(Edit),
    `The newest ${mostEdits} changes of the draft in it that no publish before has brought, newest first.`,
  ),
  editCount: optionally(v.number(), 'How many such changes the log still had.'),
})

export const LogQuery = v.object({ ...draftFields, limit: limitQuery(50, 100) })
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
    'Pages that the site did not show as published right after it: it may be behind, or they did not arrive.',
  ),
  /** The number of pages; absent without a baseline. */
  diffSummary: v.optional(v.object({ added: v.number(), removed: v.number(), changed: v.number() })),
  version: optionally(v.number(), 'The version of the draft that was published.'),
  changes: optionally(
    Brought,
    'What a successful publish brought: slugs and titles of pages, and how many values; absent without a baseline.',
  ),
  followed: optionally(
    v.object({ pages: v.array(v.string()), siteConfig: v.boolean() }),
    'What the site had on its own since the publish of this draft before, which stayed; absent for nothing.',
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
