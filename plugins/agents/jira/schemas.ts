import * as v from 'valibot'

export const modes = ['review', 'execute', 'publish'] as const
export type Mode = (typeof modes)[number]

export const IssueKey = v.pipe(
  v.string(),
  v.regex(/^[A-Z][A-Z0-9_]{1,49}-[1-9][0-9]{0,9}$/, 'must be a ticket key such as WEB-12'),
  v.examples(['WEB-12']),
)

const text = v.optional(v.nullable(v.string()))

/** A person, by account id in Cloud and by name in Server. */
export const JiraPerson = v.pipe(
  v.object({ accountId: text, name: text, key: text, displayName: text }),
  v.transform(({ accountId, name, key, displayName }) => ({
    id: accountId ?? name ?? key ?? '',
    name: displayName ?? '',
  })),
)
export type JiraPerson = v.InferOutput<typeof JiraPerson>
const optionalPerson = v.fallback(v.optional(JiraPerson), undefined)

/** A comment; its body is an ADF document in Cloud and a string in Server. */
export const JiraComment = v.object({
  id: v.string(),
  author: optionalPerson,
  body: v.optional(v.unknown()),
  created: v.optional(v.string(), ''),
  updated: v.optional(v.string()),
})
export type JiraComment = v.InferOutput<typeof JiraComment>

export const Attachment = v.object({
  filename: v.optional(v.string(), ''),
  mimeType: v.optional(v.string(), ''),
  size: v.optional(v.number(), 0),
  content: v.string(),
})
export type Attachment = v.InferOutput<typeof Attachment>

const Status = v.object({ name: v.string() })

export const Issue = v.object({
  key: IssueKey,
  fields: v.object({
    summary: v.fallback(v.string(), ''),
    description: v.optional(v.unknown()),
    status: Status,
    attachment: v.fallback(v.array(Attachment), []),
    reporter: optionalPerson,
    assignee: optionalPerson,
    creator: optionalPerson,
  }),
})
export type Issue = v.InferOutput<typeof Issue>

export const Comments = v.object({ comments: v.array(JiraComment), total: v.optional(v.number(), 0) })
/** A page of search results; the next page is found by a token in Cloud, by an offset in Server. */
export const IssuePage = v.object({
  issues: v.array(
    v.object({ key: v.string(), fields: v.object({ status: Status, updated: v.optional(v.string(), '') }) }),
  ),
  nextPageToken: v.optional(v.string()),
  isLast: v.optional(v.boolean()),
  total: v.optional(v.number()),
})
export const Transitions = v.object({
  transitions: v.array(v.object({ id: v.string(), name: v.string(), to: v.optional(Status) })),
})

const Item = v.looseObject({ field: v.optional(v.string()) })
const Payload = v.object({
  /** Milliseconds since 1970. */
  timestamp: v.fallback(v.optional(v.number()), undefined),
  webhookEvent: v.optional(v.string(), ''),
  issue: v.object({
    key: IssueKey,
    fields: v.optional(
      v.object({
        status: v.optional(Status, { name: '' }),
        assignee: optionalPerson,
        reporter: optionalPerson,
        creator: optionalPerson,
      }),
      {},
    ),
  }),
  user: optionalPerson,
  comment: v.fallback(v.optional(JiraComment), undefined),
  changelog: v.fallback(v.object({ items: v.array(Item) }), { items: [] }),
})

/** The relevant parts of a webhook. */
export const WebhookEvent = v.pipe(
  Payload,
  v.transform(({ timestamp, webhookEvent, issue: { key, fields }, user, comment, changelog }) => ({
    issueKey: key,
    timestamp,
    kind: kindOf(webhookEvent, comment !== undefined, movedTo(changelog.items) !== undefined),
    status: fields.status?.name ?? '',
    movedTo: movedTo(changelog.items),
    user,
    comment,
    assignee: fields.assignee,
    reporter: fields.reporter,
    creator: fields.creator,
  })),
)
export type WebhookEvent = v.InferOutput<typeof WebhookEvent>

/** Returns the new status of a ticket. Reads an own property, because every object inherits `toString`. */
function movedTo(items: readonly Readonly<Record<string, unknown>>[]): string | undefined {
  const item = items.find(({ field }) => field === 'status')
  const name: unknown = item && Object.hasOwn(item, 'toString') ? item['toString'] : undefined
  return typeof name === 'string' ? name : undefined
}

/** Jira Server reports comments as updates of the ticket. */
function kindOf(name: string, hasComment: boolean, isMove: boolean): 'comment' | 'created' | 'other' {
  if (name === 'comment_created' || name === 'comment_updated') return 'comment'
  if (name === 'jira:issue_updated' && hasComment && !isMove) return 'comment'
  return name === 'jira:issue_created' ? 'created' : 'other'
}

/** The result of a run. */
export const Result = v.object({
  issueKey: v.string(),
  status: v.picklist(['success', 'error']),
  summary: v.string(),
  changes: v.pipe(v.array(v.string()), v.readonly()),
  durationMs: v.number(),
  modelUsed: v.optional(v.string()),
  published: v.optional(v.boolean()),
  error: v.optional(v.string()),
})
export type Result = v.InferOutput<typeof Result>

const QueueEntry = v.object({
  issueKey: v.string(),
  state: v.picklist(['queued', 'processing', 'done', 'error']),
  queuedAt: v.string(),
  startedAt: v.optional(v.string()),
  completedAt: v.optional(v.string()),
  result: v.optional(Result),
})
export type QueueEntry = v.InferOutput<typeof QueueEntry>

export const WebhookQuery = v.object({
  secret: v.optional(v.pipe(v.string(), v.description('The webhook secret, if Jira cannot send a header.'))),
})
export const Queued = v.object({
  ok: v.literal(true),
  issueKey: v.string(),
  mode: v.picklist(modes),
  queued: v.literal(true),
})
export const Skipped = v.object({ ok: v.literal(true), skipped: v.literal(true), reason: v.string() })
export const ProcessBody = v.object({ issueKey: v.optional(v.unknown()), mode: v.optional(v.unknown()) })
export type ProcessBody = v.InferOutput<typeof ProcessBody>
export const StatusAnswer = v.object({
  configured: v.boolean(),
  reviewStatus: v.string(),
  executeStatus: v.string(),
  previewStatus: v.string(),
  doneStatus: v.string(),
  autoPublish: v.boolean(),
  agentAccountId: v.nullable(v.string()),
  poller: v.object({
    running: v.boolean(),
    processedCount: v.number(),
    isPolling: v.boolean(),
    lastPollAt: v.optional(v.string()),
    lastError: v.optional(v.string()),
  }),
  queue: v.array(QueueEntry),
  recent: v.array(Result),
})
export type StatusAnswer = v.InferOutput<typeof StatusAnswer>
